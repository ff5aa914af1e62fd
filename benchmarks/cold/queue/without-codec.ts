import { signalbox } from '@signalbox/core'
import { queue } from '@signalbox/queue'

export const handler = signalbox(
  queue({
    onMessage: ({ body }) => {
      if (body === '') throw new Error('there is nothing to ship')
    },
  }),
)
