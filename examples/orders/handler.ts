import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { discard, queue } from '@signalbox/queue'
import { carrier } from './carrier.ts'
import { Order } from './order.ts'

// #region handler
export const handler = signalbox(
  queue({
    body: fromJson(Order),
    async onMessage({ body, signal }) {
      if (body.status === 'cancelled') discard('cancelled by the customer')
      await carrier.book(body, signal)
    },
  }),
)
// #endregion handler
