import * as t from 'io-ts'
import type { Order } from '../../data/orders.ts'

export const IoTsOrder = t.intersection([
  t.type({
    id: t.string,
    customer: t.string,
    items: t.array(t.type({ sku: t.string, quantity: t.number })),
  }),
  t.partial({ express: t.union([t.boolean, t.null]) }),
]) as unknown as t.Type<Order, unknown, unknown>
