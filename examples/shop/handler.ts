import { signalbox } from '@signalbox/core'
import {
  cors,
  created,
  file,
  get,
  group,
  guard,
  json,
  loadBalancer,
  post,
  redirect,
  withCookie,
} from '@signalbox/load-balancer'
import { bearer } from '@signalbox/load-balancer/bearer'
import * as t from 'io-ts'
import { orderOf, ordersOf, placeOrder, receiptOf, stockOf } from './orders.ts'
import { customerOf, issuer, signIn } from './sessions.ts'

const NewOrder = t.type({ item: t.string, quantity: t.number })
const Order = t.intersection([t.type({ id: t.string }), NewOrder])
const SignIn = t.type({ name: t.string, password: t.string })
const Member = t.type({ username: t.string, tenant: t.string })

// #region handler
const signedIn = guard(({ cookies }) => ({ customer: customerOf(cookies['__Host-session']) }))
const member = bearer({ issuer, audience: 'web', claims: Member })

export const routes = [
  get('/orders', { returns: { 200: t.array(Order) } }, ({ query }) => json(ordersOf(query.first('item')))),
  post('/orders', { body: NewOrder, returns: { 201: Order } }, ({ body }) => {
    const order = placeOrder(body)
    return created(`/orders/${order.id}`, order)
  }),
  get('/orders/{id}', { returns: { 200: Order } }, ({ params }) => json(orderOf(params.id))),
  get('/orders/{id}/receipt', ({ params }) => file(receiptOf(params.id), `receipt ${params.id}.bin`)),
  post('/sign-in', { body: SignIn, accepts: ['form'] }, ({ body }) =>
    withCookie(redirect('/me', 303), '__Host-session', signIn(body), { maxAge: 3600 }),
  ),
  get('/me', { guard: signedIn }, ({ customer }) => json({ name: customer })),
  get('/member', { guard: member }, ({ claims }) => json([claims.username, claims.tenant])),
  group(
    '/widgets',
    [cors({ origins: ['https://partner.example'] })],
    [get('/stock/{item}', ({ params }) => json({ inStock: stockOf(params.item) }))],
  ),
]

export const handler = signalbox(loadBalancer(routes))
// #endregion handler
