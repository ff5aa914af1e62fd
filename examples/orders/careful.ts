import { fromJson } from '@signalbox/codec'
import { type Store, signalbox } from '@signalbox/core'
import { once, queue } from '@signalbox/queue'
import { carrier } from './carrier.ts'
import { Order } from './order.ts'

/** Ships every order only once. Logs each order that must be redelivered, with the reason. */
export function carefulHandler(store: Store, log: (line: string) => void) {
  // #region careful
  return signalbox(
    queue({
      body: fromJson(Order),
      // The queue may deliver a message twice, but its order is shipped only once.
      onMessage: once({ store })(async ({ body, signal }) => {
        await carrier.book(body, signal)
      }),
      onFailure: ({ id, attempt }, reason) => log(`${id}, attempt ${attempt}: ${reason}`),
      concurrency: 5,
      reserve: 500,
    }),
  )
  // #endregion careful
}
