import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { log, telemetry } from '@signalbox/telemetry'

const routes = [
  get('/orders/{id}', ({ params }, context) => {
    // The answers of all contenders are read from stdout.
    log(context).error('order read', { order: params.id })
    return json({ id: params.id })
  }),
]

export const handler = signalbox(loadBalancer(routes)).use(telemetry({ export: 'otlp', log: true }))
