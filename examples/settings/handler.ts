// #region handler
import { createHmac } from 'node:crypto'
import ssm from '@middy/ssm'
import { type InvocationContext, signalbox } from '@signalbox/core'
import { get, json, loadBalancer, redirect } from '@signalbox/load-balancer'

/** The fields that the middleware adds to the context: parameters of the Parameter Store with new names. */
interface Settings {
  readonly currency: string
  readonly signingKey: string
}
const settingsOf = (context: InvocationContext) => context as InvocationContext & Settings

const routes = [
  get('/prices/{item}', ({ params }, context) =>
    json({ item: params.item, price: 12, currency: settingsOf(context).currency }),
  ),
  get('/invoices/{id}', ({ params: { id } }, context) => {
    const signature = createHmac('sha256', settingsOf(context).signingKey).update(id).digest('base64url')
    return redirect(`https://files.example.com/${encodeURIComponent(id)}.pdf?signature=${signature}`)
  }),
]

export const handler = signalbox(loadBalancer(routes)).use(
  ssm({
    fetchData: { currency: '/shop/currency', signingKey: '/shop/signing-key' },
    // The middleware fetches the parameters at the first event, and again after five minutes.
    disablePrefetch: true,
    cacheExpiry: 5 * 60_000,
    setToContext: true,
  }),
)
// #endregion handler
