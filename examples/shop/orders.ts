import { HttpError } from '@signalbox/load-balancer'

interface Order {
  readonly id: string
  readonly item: string
  readonly quantity: number
}

const stock = new Map([
  ['tea pot', 12],
  ['cup & saucer', 0],
])

const orders = new Map<string, Order>([
  ['6', { id: '6', item: 'cup & saucer', quantity: 2 }],
  ['7', { id: '7', item: 'tea pot', quantity: 1 }],
])

/** Returns the order with the given number, or throws 404. */
export function orderOf(id: string): Order {
  const order = orders.get(id)
  if (!order) throw new HttpError(404, `There is no order ${id}`)
  return order
}

/** Returns all orders, or the orders of one item. */
export function ordersOf(item: string | undefined): readonly Order[] {
  return [...orders.values()].filter(order => item === undefined || order.item === item)
}

/** Places an order if there is enough of the item, or throws 409. */
export function placeOrder({ item, quantity }: Omit<Order, 'id'>): Order {
  if (quantity < 1) throw new HttpError(409, 'An order is for one piece at least')
  if (stockOf(item) < quantity) throw new HttpError(409, `There is not enough of ${item}`)
  const order = { id: String(orders.size + 6), item, quantity }
  orders.set(order.id, order)
  return order
}

/** Returns the stock of an item, or throws 404. */
export function stockOf(item: string): number {
  const count = stock.get(item)
  if (count === undefined) throw new HttpError(404, `The shop has no ${item}`)
  return count
}

/** Returns a receipt for a printer. It contains printer commands, which are not text. */
export function receiptOf(id: string): Uint8Array {
  const { item, quantity } = orderOf(id)
  const reset = [0x1b, 0x40]
  const cut = [0x1d, 0x56, 0x00, 0xff]
  return Uint8Array.from([...reset, ...Buffer.from(`${quantity} x ${item}\n`), ...cut])
}
