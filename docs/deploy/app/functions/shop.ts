import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'

export const handler = signalbox(
  loadBalancer([get('/hello/{name}', ({ params }) => json({ hello: params.name }))]),
)
