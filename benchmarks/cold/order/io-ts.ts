import * as t from 'io-ts'

/** What all handlers here expect in a body. */
export const Order = t.type({
  id: t.string,
  items: t.array(t.type({ sku: t.string, quantity: t.number })),
})
