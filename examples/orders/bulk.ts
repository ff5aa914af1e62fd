import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { queue } from '@signalbox/queue'
import { Order } from './order.ts'

/** A database that stores many rows at once, and reports which rows it refused. */
export interface Warehouse {
  insert(orders: readonly Order[]): Promise<{ readonly refused: readonly number[] }>
}

export function bulkHandler(warehouse: Warehouse) {
  // #region bulk
  return signalbox(
    queue({
      body: fromJson(Order),
      async onBatch(messages, failures) {
        const { refused } = await warehouse.insert(messages.map(({ body }) => body))
        for (const position of refused) failures.add(messages[position]!, 'refused by the warehouse')
      },
    }),
  )
  // #endregion bulk
}
