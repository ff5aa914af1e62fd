import type { Order } from '../../data/orders.ts'
import { isObject } from '../shapes.ts'

/** Checks an order by hand. No contender can take less time. */
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
