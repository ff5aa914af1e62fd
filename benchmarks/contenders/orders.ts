import * as t from 'io-ts'
import * as z from 'zod'
import type { Order } from '../data/orders.ts'
import { isObject } from './token-generation.ts'

/** The limit. */
export function isOrder(u: unknown): u is Order {
  if (!isObject(u) || typeof u.id !== 'string' || typeof u.customer !== 'string') return false
  const { items, express } = u
  if (express != null && typeof express !== 'boolean') return false
  if (!Array.isArray(items)) return false
  for (let i = 0; i < items.length; i++) {
    const item: unknown = items[i]
    if (!isObject(item) || typeof item.sku !== 'string' || typeof item.quantity !== 'number') return false
  }
  return true
}

export const IoTsOrder = t.intersection([
  t.type({
    id: t.string,
    customer: t.string,
    items: t.array(t.type({ sku: t.string, quantity: t.number })),
  }),
  t.partial({ express: t.union([t.boolean, t.null]) }),
]) as unknown as t.Type<Order, unknown, unknown>

export const jsonSchemaOfOrder = {
  type: 'object',
  required: ['id', 'customer', 'items'],
  properties: {
    id: { type: 'string' },
    customer: { type: 'string' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['sku', 'quantity'],
        properties: { sku: { type: 'string' }, quantity: { type: 'number' } },
      },
    },
    express: { type: 'boolean', nullable: true },
  },
}

export const ZodOrder = z.object({
  id: z.string(),
  customer: z.string(),
  items: z.array(z.object({ sku: z.string(), quantity: z.number() })),
  express: z.boolean().nullish(),
})
