import * as t from 'io-ts'

/** The body that all handlers here expect. */
export const Order = t.type({
  id: t.string,
  items: t.array(t.type({ sku: t.string, quantity: t.number })),
})
