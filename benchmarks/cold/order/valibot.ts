import * as v from 'valibot'

export const Order = v.object({
  id: v.string(),
  items: v.array(v.object({ sku: v.string(), quantity: v.number() })),
})
