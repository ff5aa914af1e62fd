import { fromJson } from '@signalbox/codec'
import { eachMessage } from '@signalbox/queue'
import { Order } from '../order/io-ts.ts'

export const handler = eachMessage(fromJson(Order), ({ body }) => {
  if (body.items.length === 0) throw new Error('there is nothing to ship')
})
