import * as z from 'zod'

export const Order = z.object({
  id: z.string(),
  items: z.array(z.object({ sku: z.string(), quantity: z.number() })),
})
