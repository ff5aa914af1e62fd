import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { queue } from '@signalbox/queue'
import { Order } from '../order/io-ts.ts'

export const handler = signalbox(
  queue({
    body: fromJson(Order),
    onMessage: ({ body }) => {
      if (body.items.length === 0) throw new Error('there is nothing to ship')
    },
  }),
)
