import { client } from '@signalbox/load-balancer/client'
import type { routes } from './handler.ts'

/** Repeats an earlier order, and returns the number of the new order. Only types are imported from the routes. */
// #region client
export async function reorder(baseUrl: string, id: string): Promise<string> {
  const shop = client<typeof routes>({ baseUrl })
  const found = await shop.get('/orders/{id}', { params: { id } })
  if (found.status !== 200) throw new Error(`There is no order ${id}`)
  const { item, quantity } = found.body
  const placed = await shop.post('/orders', { body: { item, quantity } })
  if (placed.status !== 201) throw new Error(`The shop answered ${placed.status}`)
  return placed.body.id
}
// #endregion client
