// #region handler
import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { callback, type DurableOptions, durable, step, wait } from '@signalbox/core/durable'
import { queue } from '@signalbox/queue'
import * as t from 'io-ts'

const Order = t.type({ id: t.string, email: t.string })

/** What the function asks of others. */
export interface Shop {
  readonly reserve: (order: string) => Promise<string>
  /** Asks for a payment. The payment service gives its result to the callback. */
  readonly requestPayment: (order: string, callbackId: string) => Promise<void>
  readonly ship: (reservation: string) => Promise<void>
  readonly mail: (to: string, text: string) => Promise<void>
}

/** An order is paid, shipped, and three days later its customer is asked how it was. */
export const payments = (shop: Shop, options: DurableOptions = {}) =>
  durable(
    signalbox(
      queue({
        body: fromJson(Order),
        onMessage: async ({ body: { id, email } }) => {
          const reservation = await step('reserve', () => shop.reserve(id))
          const answer = await callback('payment', callbackId => shop.requestPayment(id, callbackId), {
            timeout: { days: 2 },
          })
          if (answer !== 'paid') return
          await step('ship', () => shop.ship(reservation))
          await wait('delivery', { days: 3 })
          await step('ask', () => shop.mail(email, `How was your order ${id}?`))
        },
      }),
    ),
    options,
  )
// #endregion handler
