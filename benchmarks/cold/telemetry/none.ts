import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'

export const handler = signalbox(loadBalancer([get('/orders/{id}', ({ params }) => json({ id: params.id }))]))
