import { signalbox } from '@signalbox/core'
import { queue } from '@signalbox/queue'

export const handler = signalbox(queue({ onMessage: ({ body }) => console.log(body) }))
