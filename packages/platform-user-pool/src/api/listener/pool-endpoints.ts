import { isIP } from 'node:net'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { Engine } from '../../engine.ts'
import { discoveryDocument } from '../../oidc/discovery.ts'
import { OAuthError } from '../../oidc/oauth-error.ts'
import { registerClient } from '../../oidc/register.ts'
import { revoke } from '../../oidc/revoke.ts'
import { deviceAnswer, tokenAnswer } from '../../oidc/token-endpoint.ts'
import { type BearerRefusal, userInfo } from '../../oidc/user-info.ts'
import { jsonAnswer, type WebAnswer, type WebRequest } from '../../oidc/web.ts'
import { confirmLink } from '../../pages/confirm-link.ts'
import { hostedPage } from '../../pages/hosted-pages.ts'
import { passkeyScript } from '../../pages/passkey-script.ts'

/** A pool that a request names, and the path of the request below the pool's address. */
export interface PoolAddress {
  readonly pool: PoolSettings
  readonly path: string
}

const serverMetadata = '/.well-known/oauth-authorization-server'

/**
 * Returns the pool that a request names: by the pool's id in the first segment of the path, or after the path of the
 * server metadata (RFC 8414, 3.1), by the pool's domain in the
 * first label of the host, or by the pool's custom domain, which is the whole host. Returns undefined when the request
 * names no pool.
 */
export function poolAddress(
  { pools }: Pick<Engine, 'pools'>,
  host: string,
  path: string,
): PoolAddress | undefined {
  const [, id, rest] = /^\/([^/]+)(\/.+)$/.exec(path) ?? []
  const named = id === undefined ? undefined : pools.find(each => each.id === id)
  if (named !== undefined) return { pool: named, path: rest! }
  if (path.startsWith(`${serverMetadata}/`)) {
    const asked = pools.find(each => path === `${serverMetadata}/${each.id}`)
    return asked && { pool: asked, path: serverMetadata }
  }
  if (path === '/') return undefined
  const name = host.replace(/:\d+$/, '').toLowerCase()
  // An address such as 127.0.0.1 has no label.
  const label = isIP(name) === 0 ? /^([a-z\d-]+)\./.exec(name)?.[1] : undefined
  const owned =
    pools.find(({ customDomain }) => customDomain !== undefined && customDomain === name) ??
    pools.find(({ domain }) => domain !== undefined && domain === label)
  return owned && { pool: owned, path }
}

type Endpoint = (engine: Engine, pool: PoolSettings, request: WebRequest) => Promise<WebAnswer>

/** Headers that let scripts from any origin read a response. Endpoints with these headers ignore cookies. */
const forAnyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'www-authenticate',
}
const notKept = { 'cache-control': 'no-store', pragma: 'no-cache' }

const endpoints: { readonly [route: string]: Endpoint } = {
  'GET /.well-known/openid-configuration': async (engine, pool, { origin }) =>
    jsonAnswer(200, discoveryDocument(engine, pool, engine.addressOf(pool, origin)), forAnyOrigin),

  // Everything of the document is metadata of an authorization server, too (RFC 8414, 2).
  [`GET ${serverMetadata}`]: async (engine, pool, { origin }) =>
    jsonAnswer(200, discoveryDocument(engine, pool, engine.addressOf(pool, origin)), forAnyOrigin),

  'GET /.well-known/jwks.json': async (engine, pool) =>
    jsonAnswer(200, { keys: await engine.keys.published(pool) }, forAnyOrigin),

  'POST /oauth2/token': (engine, pool, { form, authorization, ...from }) =>
    forClients(authorization, async () =>
      jsonAnswer(200, await tokenAnswer(engine, pool, fieldsOf(form), authorization, from), {
        ...forAnyOrigin,
        ...notKept,
      }),
    ),

  'POST /oauth2/device_authorization': (engine, pool, { form, authorization, origin, ...from }) =>
    forClients(authorization, async () => {
      const page = `${engine.addressOf(pool, origin)}/device`
      const answer = await deviceAnswer(engine, pool, fieldsOf(form), authorization, from, page)
      return jsonAnswer(200, answer, { ...forAnyOrigin, ...notKept })
    }),

  'POST /oauth2/revoke': (engine, pool, { form, authorization, ...from }) =>
    forClients(authorization, async () => {
      await revoke(engine, pool, fieldsOf(form), authorization, from)
      return { status: 200, headers: { ...forAnyOrigin, ...notKept }, body: '' }
    }),

  'POST /oauth2/register': async (engine, pool, { json, authorization, address }) =>
    pool.registration === undefined
      ? jsonAnswer(404, { message: 'Not Found' })
      : forClients(authorization, async () =>
          jsonAnswer(201, await registerClient(engine, pool, valueIn(json), authorization, address), {
            ...forAnyOrigin,
            ...notKept,
          }),
        ),

  'GET /confirmUser': confirmLink,

  'GET /passkey.js': async () => ({
    status: 200,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    },
    body: passkeyScript.text,
  }),

  'GET /oauth2/userInfo': userInfoEndpoint,
  'POST /oauth2/userInfo': userInfoEndpoint,
}

/** Answers a request below a pool's address with an endpoint's response or with a page. */
export async function poolEndpoint(
  engine: Engine,
  pool: PoolSettings,
  request: WebRequest,
): Promise<WebAnswer | undefined> {
  const route = `${request.method} ${request.path}`
  const endpoint = Object.hasOwn(endpoints, route) ? endpoints[route] : undefined
  return endpoint === undefined ? hostedPage(engine, pool, request) : endpoint(engine, pool, request)
}

function fieldsOf(form: URLSearchParams | undefined): URLSearchParams {
  if (form !== undefined) return form
  throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.')
}

function valueIn(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? '')
  } catch {
    throw new OAuthError('invalid_client_metadata', 'The body must be JSON, with the type application/json.')
  }
}

/** The statuses of errors that are not answered with 400, and their header `www-authenticate`. */
const refusedWith: { readonly [T in OAuthError['type']]?: readonly [status: number, scheme?: string] } = {
  invalid_client: [401, 'Basic realm="clients"'],
  invalid_token: [401, 'Bearer error="invalid_token"'],
  temporarily_unavailable: [429],
}

/** Answers a client's request. An OAuth error becomes an error response (RFC 6749, 5.2). */
async function forClients(
  authorization: string | undefined,
  answer: () => Promise<WebAnswer>,
): Promise<WebAnswer> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const [status, scheme] = refusedWith[error.type] ?? [400]
    const isAsked = scheme !== undefined && (authorization !== undefined || error.type === 'invalid_token')
    return jsonAnswer(
      status,
      { error: error.type, error_description: error.message },
      {
        ...forAnyOrigin,
        ...notKept,
        ...(isAsked && { 'www-authenticate': scheme }),
      },
    )
  }
}

const refusals: { readonly [R in BearerRefusal]: readonly [status: number, header: string] } = {
  'no token': [401, 'Bearer realm="userInfo"'],
  invalid_request: [400, 'Bearer error="invalid_request", error_description="There are two access tokens."'],
  invalid_token: [401, 'Bearer error="invalid_token", error_description="The access token is not valid."'],
  insufficient_scope: [403, 'Bearer error="insufficient_scope", scope="openid"'],
}

async function userInfoEndpoint(
  engine: Engine,
  pool: PoolSettings,
  { authorization, form }: WebRequest,
): Promise<WebAnswer> {
  const answer = await userInfo(engine, pool, authorization, form?.get('access_token') ?? undefined)
  if ('claims' in answer) return jsonAnswer(200, answer.claims, { ...forAnyOrigin, ...notKept })
  const [status, header] = refusals[answer.refused]
  const body = answer.refused === 'no token' ? {} : { error: answer.refused }
  return jsonAnswer(status, body, { ...forAnyOrigin, ...notKept, 'www-authenticate': header })
}
