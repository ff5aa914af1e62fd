import { type IncomingHttpHeaders, request } from 'node:http'
import type { Config } from '@signalbox/platform'

/** A platform with one listener of each kind. Its function answers requests, messages and mails. */
export function everyListener(own: object = {}): Config {
  const listener = { port: 0, ...own }
  const answer = { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, body: 'shop' }
  return {
    functions: { shop: { handler: () => answer } },
    loadBalancers: { web: { port: 0, function: 'shop' } },
    queues: { orders: {} },
    queueListener: listener,
    userPools: {
      staff: { id: 'eu-central-1_Staff01', clients: { web: { id: 'web', flows: ['password'] } } },
    },
    userPoolListener: listener,
    invoke: listener,
    mail: { port: 0, domains: { 'box.example': { to: 'mailboxes' } }, relay: 'keep' },
    control: listener,
    dataDir: ':memory:',
  }
}

interface Attempt {
  readonly listener: string
  readonly path: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
}

const json = { 'content-type': 'application/x-amz-json-1.1' }
const pool = (operation: string) => ({
  ...json,
  'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
})

/** What a client without a key tries at each listener. */
const attempts: { readonly [what: string]: Attempt } = {
  'a page': { listener: 'load balancer web', path: '/' },
  'the keys of a pool': { listener: 'user pools', path: '/eu-central-1_Staff01/.well-known/jwks.json' },
  'a wrong password': {
    ...{ listener: 'user pools', path: '/', headers: pool('InitiateAuth') },
    body: '{"ClientId":"web","AuthFlow":"USER_PASSWORD_AUTH","AuthParameters":{"USERNAME":"ann","PASSWORD":"x"}}',
  },
  'a probe': { listener: 'control', path: '/livez' },
  'the queues': {
    ...{ listener: 'queues', path: '/', body: '{}' },
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.ListQueues' },
  },
  'the users of a pool': {
    ...{ listener: 'user pools', path: '/', headers: pool('ListUsers') },
    body: '{"UserPoolId":"eu-central-1_Staff01"}',
  },
  'the password of a user': {
    ...{ listener: 'user pools', path: '/', headers: pool('AdminSetUserPassword') },
    body: '{"UserPoolId":"eu-central-1_Staff01","Username":"ann","Password":"Right-7even","Permanent":true}',
  },
  'the secret of a client': {
    ...{ listener: 'user pools', path: '/', headers: pool('DescribeUserPoolClient') },
    body: '{"UserPoolId":"eu-central-1_Staff01","ClientId":"web"}',
  },
  'a function': { listener: 'invoke', path: '/2015-03-31/functions/shop/invocations', body: '{}' },
  'a mail': { listener: 'control', path: '/mail/none' },
}

/** The server of a listener: a port of this machine, or a socket in a file. */
export type Server = { readonly port: string } | { readonly socketPath: string }

/**
 * Tries everything that a client without a key may want from a platform. Returns what succeeded, or failed for a reason
 * other than the client.
 */
export async function tryEverything(
  serverOf: (listener: string) => Server,
  headers: { readonly [name: string]: string } = {},
): Promise<readonly string[]> {
  const allowed = await Promise.all(
    Object.entries(attempts).map(async ([what, { listener, path, headers: own, body }]) => {
      const answer = await send(serverOf(listener), path, { ...own, ...headers }, body)
      const isRefused =
        [401, 403].includes(answer.status) || /MissingAuthenticationToken/.test(String(answer.type))
      return isRefused ? [] : [what]
    }),
  )
  return allowed.flat()
}

/** What everyone may do who reaches the listeners. */
export const publicThings: readonly string[] = Object.keys(attempts).slice(0, 4)
/** What clients need a key for, unless a listener is open. */
export const guardedThings: readonly string[] = Object.keys(attempts).slice(4)

function send(
  server: Server,
  path: string,
  headers: { readonly [name: string]: string },
  body: string | undefined,
): Promise<{ readonly status: number; readonly type: IncomingHttpHeaders[string] }> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    request({ host: '127.0.0.1', ...server, method, path, headers, agent: false }, response => {
      response.resume()
      response.once('end', () =>
        resolve({ status: response.statusCode!, type: response.headers['x-amzn-errortype'] }),
      )
    })
      .once('error', reject)
      .end(body)
  })
}
