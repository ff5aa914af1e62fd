import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { discard, queue } from '@signalbox/queue'
import * as t from 'io-ts'
import { carrier } from './carrier.ts'

// #region handler
const Order = t.type({
  order: t.string,
  country: t.string,
  parcels: t.number,
  status: t.union([t.literal('paid'), t.literal('cancelled')]),
})

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
