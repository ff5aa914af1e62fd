import { fromJson } from '@signalbox/codec'
import { type Plugin, signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { mailFlow } from '@signalbox/mail-flow'
import { queue } from '@signalbox/queue'
import { userPool } from '@signalbox/user-pool'
import { IoTsOrder } from '../contenders/order/io-ts.ts'
import { claimsFor } from '../contenders/token-claims/by-hand.ts'
import { orders } from '../data/batch.ts'
import { httpEvent } from '../data/http.ts'
import { outboundMail } from '../data/mail.ts'
import { ship } from '../data/orders.ts'
import { tokenGenerationText } from '../data/token-generation.ts'
import { inTurn } from '../data/turn.ts'
import type { Setup, Work } from '../harness/work.ts'

const plugins = {
  trigger: userPool({ TokenGeneration: claimsFor as never }),
  batch: queue({ body: fromJson(IoTsOrder), onMessage: ({ body }) => ship(body) }),
  mail: mailFlow((_, actions) => actions.drop()),
  request: loadBalancer([get('/', () => json({ known: true }))]),
}
const all = signalbox(plugins.trigger, plugins.batch, plugins.mail, plugins.request)

function setup(name: string, plugin: Plugin, event: () => unknown): Setup {
  const alone = signalbox(plugin)
  const events = () => inTurn(Array.from({ length: 16 }, event))
  const [first, second] = [events(), events()]
  const context = {}
  return {
    name,
    contenders: [
      { name: 'the plugin alone', role: 'limit', run: () => alone(first(), context) },
      { name: 'Signalbox, four plugins', role: 'ours', run: () => all(second(), context) },
    ],
  }
}

export const work: Work = {
  name: 'dispatch',
  title: 'One function for four families, beside a function for one',
  setups: [
    setup('a trigger', plugins.trigger, () => JSON.parse(tokenGenerationText())),
    setup('a batch of 10', plugins.batch, () => orders(10)),
    setup('a mail', plugins.mail, () => outboundMail(1)),
    setup('a request', plugins.request, () => httpEvent('single', { method: 'GET', path: '/' })),
  ],
}
