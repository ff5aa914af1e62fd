import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { mailFlow } from '@signalbox/mail-flow'
import { queue } from '@signalbox/queue'
import { userPool } from '@signalbox/user-pool'
import { Order } from '../order/io-ts.ts'

export const handler = signalbox(
  userPool({ TokenGeneration: () => ({ claimsOverrideDetails: { claimsToSuppress: ['email'] } }) }),
  queue({
    body: fromJson(Order),
    onMessage: ({ body }) => {
      if (body.items.length === 0) throw new Error('there is nothing to ship')
    },
  }),
  mailFlow((_, actions) => actions.default()),
  loadBalancer([get('/orders/{id}', ({ params }) => json({ id: params.id }))]),
)
