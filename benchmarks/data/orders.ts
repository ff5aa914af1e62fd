/** The body of a message in the batch works. */
export interface Order {
  readonly id: string
  readonly customer: string
  readonly items: readonly { readonly sku: string; readonly quantity: number }[]
  readonly express?: boolean | null
}

/** Ships an order. All contenders use this function. An empty order cannot be shipped. */
export function ship(order: Order): void {
  if (order.items.length === 0) throw new Error('there is nothing to ship')
  shipped.items += order.items.length
}

const shipped = { items: 0 }

export function orderText(number: number): string {
  // One order in a hundred fails, alternately in the codec and in the handler.
  const flaw = number % 100 === 50 ? (number % 200 === 50 ? 'codec' : 'handler') : undefined
  return JSON.stringify({
    id: `order-${number}`,
    customer: `customer-${number % 37}@example.com`,
    items: flaw === 'handler' ? [] : [{ sku: `sku-${number % 11}`, quantity: flaw ? 'two' : 2 }],
    express: number % 3 === 0,
  })
}

/** Bodies that are not orders, and a valid order. */
export const oddBodies = [
  'not JSON',
  '',
  'null',
  '[]',
  '{}',
  '{"id":1}',
  JSON.stringify({ id: 'a', customer: 'b', items: [{ sku: 'c', quantity: 1 }] }),
  JSON.stringify({ id: 'a', customer: 'b', items: [{ sku: 'c', quantity: 1 }], express: null, more: {} }),
  JSON.stringify({ id: 'a', customer: 'b', items: [{ sku: 'c', quantity: '1' }] }),
  JSON.stringify({ id: 'a', customer: 'b', items: [null] }),
  JSON.stringify({ id: 'a', customer: 'b', items: {} }),
  JSON.stringify({ id: 'a', customer: 'b', items: [], express: false }),
]
