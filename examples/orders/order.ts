// #region order
import * as t from 'io-ts'

/** The body of a message in the orders queue. */
export const Order = t.type({
  order: t.string,
  country: t.string,
  parcels: t.number,
  status: t.union([t.literal('paid'), t.literal('cancelled')]),
})
// #endregion order
export type Order = t.TypeOf<typeof Order>
