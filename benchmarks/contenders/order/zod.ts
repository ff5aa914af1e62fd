import * as z from 'zod'

export const ZodOrder = z.object({
  id: z.string(),
  customer: z.string(),
  items: z.array(z.object({ sku: z.string(), quantity: z.number() })),
  express: z.boolean().nullish(),
})
