import type { IncomingMessage, ServerResponse } from 'node:http'
import { randomUuid, type SourceContext } from '@signalbox/platform-runtime'
import {
  backlog,
  clientNetwork,
  hasOwnHost,
  jsonObject,
  listenError,
  listenUrl,
  memoryBudget,
  readBody,
  requestCounts,
  serviceServer,
  withTls,
} from '@signalbox/platform-runtime/listener'
import { causeOf, inAcceptSpan, traceIdOf } from '@signalbox/platform-runtime/traces'
import type { ListenerSettings } from '../../config/user-pools-part.ts'
import type { Engine } from '../../engine.ts'
import type { WebAnswer, WebRequest } from '../../oidc/web.ts'
import { rateExceeded, UserPoolError, type UserPoolErrorType } from '../../user-pool-error.ts'
import { takeImportFile } from '../operations/accounts/user-imports.ts'
import { operationOf } from '../operations/call-operation.ts'
import { administratorRequest } from './administrators.ts'
import { type PoolAddress, poolAddress, poolEndpoint } from './pool-endpoints.ts'

/** A server that offers the user pools over HTTP. */
export interface UserPoolListener {
  /** Starts the server, and resolves to its URL. */
  readonly start: () => Promise<string>
  /**
   * Stops the server. Waits up to `grace` milliseconds for running requests and for data that clients are still
   * sending.
   */
  readonly stop: (grace: number) => Promise<void>
}

const target = /^AWSCognitoIdentityProviderService\.([A-Za-z]+)$/
const contentType = 'application/x-amz-json-1.1'
/** The maximum size in bytes of a request to an administrative operation. */
const bodyLimit = 1024 * 1024
/**
 * The maximum size in bytes of a request without credentials. Anyone can send one, and parts of it are stored
 * for some minutes.
 */
const openBodyLimit = 128 * 1024
/** The maximum size in bytes of a submitted form. */
const formLimit = 64 * 1024

/**
 * Serves user pools over the Cognito API. Web pages may call the operations that need no AWS credentials.
 * @param engine a function that returns the engine. It is called only when the listener's address is known.
 */
export function userPoolListener(
  { host, port, open, names = [], limits, tls, admin }: Omit<ListenerSettings, 'issuer'>,
  engine: () => Engine,
  {
    access,
    clock,
    notice,
    traces,
    meter,
  }: Pick<SourceContext, 'access' | 'clock' | 'notice' | 'traces' | 'meter'>,
): UserPoolListener {
  const memory = memoryBudget(clock)

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { random } = engine()
    const id = randomUuid(random)
    response.once('close', () => memory.release(response))
    try {
      if (!hasOwnHost(request, host, names))
        throw new UserPoolError('AccessDeniedException', 'The Host header is not a name of this listener.')
      await respond(request, response, id)
    } catch (error) {
      if (error === brokenOff) return
      const known = error instanceof UserPoolError ? error : undefined
      if (known === undefined)
        notice(
          `The user pools could not serve a request: ${error instanceof Error ? error.message : String(error)}`,
        )
      refuse(request, response, id, known ?? internal)
      request.resume()
    }
  }

  const respond = async (request: IncomingMessage, response: ServerResponse, id: string) => {
    const { method, headers, url = '/' } = request
    const path = url.split('?', 1)[0]!
    if (method === 'OPTIONS') return void answer(request, response, 204, id, '', preflight)
    const owner = poolAddress(engine(), headers.host ?? '', path)
    if (owner !== undefined && (method === 'GET' || method === 'HEAD' || method === 'POST')) {
      const web = await webRequest(request, response, owner)
      const found = await inSpan(request, id, `${method} user pool`, { 'http.request.method': method }, () =>
        poolEndpoint(engine(), owner.pool, web),
      )
      if (found !== undefined) return send(request, response, id, found)
    }
    if (owner?.path === '/userImport' && method === 'PUT') {
      const query = new URL(url, 'http://localhost').searchParams
      const body = () => bodyOf(request, response, bodyLimit)
      return send(request, response, id, await takeImportFile(engine(), owner.pool, query, body))
    }
    if (method === 'GET' || method === 'HEAD')
      return void answer(request, response, 404, id, '{"message":"Not Found"}')
    const name = target.exec(String(headers['x-amz-target']))?.[1]
    if (method !== 'POST' || path !== '/' || name === undefined)
      throw new UserPoolError(
        'UnknownOperationException',
        'A request is a POST to / with the header X-Amz-Target: AWSCognitoIdentityProviderService.Operation.',
      )
    const operation = operationOf(name)
    const administrator = operation.isAdmin
      ? administratorRequest(request, access, { admin, open })
      : undefined
    const bytes = await bodyOf(request, response, operation.isAdmin ? bodyLimit : openBodyLimit)
    const input = readJson(bytes)
    const { mayKnow } = administrator?.authorize(engine(), operation, name, bytes, input) ?? {}
    const result = await inSpan(request, id, name, { 'signalbox.user_pool.operation': name }, () =>
      operation.run(engine(), input, sdkOf(request), mayKnow, addressOf(request)),
    )
    answer(request, response, 200, id, JSON.stringify(result))
  }

  const inSpan = <Result>(
    { headers }: IncomingMessage,
    id: string,
    name: string,
    attributes: { readonly [name: string]: string },
    work: () => Promise<Result>,
  ) =>
    inAcceptSpan(
      traces,
      {
        ...{ cause: causeOf(headers), traceId: traceIdOf(id), name, attributes },
        errorOf: error => (error instanceof UserPoolError ? error.type : internal.type),
      },
      work,
    )

  const bodyOf = async (request: IncomingMessage, response: ServerResponse, limit: number) => {
    const body = await readBody(request, limit, memory, response)
    if (body === 'aborted') throw brokenOff
    if (body === 'too slow') throw new UserPoolError('RequestTimeoutException', 'The request took too long.')
    if (body === 'no memory')
      throw new UserPoolError('ServiceUnavailableException', 'There are too many requests.')
    if (body === 'too large')
      throw new UserPoolError('RequestEntityTooLargeException', `A request has ${limit} bytes at most.`)
    return body.bytes
  }

  const webRequest = async (
    request: IncomingMessage,
    response: ServerResponse,
    { path }: PoolAddress,
  ): Promise<WebRequest> => {
    const { method, headers, url = '/' } = request
    const isForm = /^application\/x-www-form-urlencoded *(;|$)/i.test(headers['content-type'] ?? '')
    const bytes = method === 'POST' ? await bodyOf(request, response, formLimit) : undefined
    const isJson = /^application\/json *(;|$)/i.test(headers['content-type'] ?? '')
    const text = bytes === undefined ? '' : Buffer.from(bytes).toString('utf8')
    return {
      method: method === 'POST' ? 'POST' : 'GET',
      isHead: method === 'HEAD',
      origin: `${tls === undefined ? 'http' : 'https'}://${headers.host}`,
      path,
      query: new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length)),
      form: bytes !== undefined && isForm ? new URLSearchParams(text) : undefined,
      ...(isJson && { json: text }),
      authorization: headers.authorization,
      cookies: headers.cookie,
      fetchSite: headers['sec-fetch-site'] as string | undefined,
      sdk: sdkOf(request),
      address: addressOf(request),
    }
  }

  const explanation = 'This is a user pool over HTTP/1.1.'
  const server = serviceServer(
    {
      ...{ answersHalfClosed: true, explanation, limits, clock },
      count: requestCounts(meter, 'user pools'),
      throttle(request, response, seconds) {
        refuse(request, response, randomUuid(engine().random), rateExceeded(seconds))
      },
    },
    serve,
  )
  const front = withTls(server, tls, undefined, { clock, notice })

  return {
    start: () =>
      new Promise((resolve, reject) => {
        front.once('error', error =>
          reject(listenError('The user pools', 'userPoolListener.port', { port, host }, error)),
        )
        front.listen({ port, host, backlog }, () => {
          resolve(listenUrl(tls === undefined ? 'http' : 'https', front))
        })
      }),
    stop: grace =>
      new Promise(resolve => {
        if (!front.listening) return resolve()
        const cut = setTimeout(() => server.closeAllConnections(), grace)
        front.close(() => {
          clearTimeout(cut)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}

const brokenOff = new Error('The client broke off.')
const internal = new UserPoolError('InternalErrorException', 'The request could not be served.')

/** The HTTP statuses of errors whose status is not 400 (Bad Request). */
const statuses: { readonly [T in UserPoolErrorType]?: number } = {
  InternalErrorException: 500,
  AccessDeniedException: 403,
  RequestTimeoutException: 408,
  RequestEntityTooLargeException: 413,
  ServiceUnavailableException: 503,
  TooManyRequestsException: 429,
}

/** The response to a browser's preflight request. */
const preflight = {
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers':
    'authorization, cache-control, content-type, x-amz-target, x-amz-user-agent, x-amz-security-token, x-amz-date, x-amzn-session-id, amz-sdk-invocation-id, amz-sdk-request',
  'access-control-max-age': '600',
}

/**
 * The maximum nesting depth of a request, which allows for the request, a list, an entry and a field. Deeper values are
 * not read.
 */
const inputDepth = 4

function readJson(bytes: Uint8Array): object {
  const input = jsonObject(bytes, inputDepth)
  if (typeof input === 'string') throw new UserPoolError('SerializationException', input)
  return input
}

/**
 * Returns the name and version of the caller's SDK, such as `aws-sdk-js-3.1169.0`. Trigger events contain this string.
 */
function sdkOf({ headers }: IncomingMessage): string {
  const agent = String(headers['x-amz-user-agent'] ?? headers['user-agent'] ?? '')
  return /^[\w.-]+\/[\w.-]+/.exec(agent)?.[0].replace('/', '-').slice(0, 100) ?? 'aws-sdk-unknown-unknown'
}

/** Returns the address by which a client is counted. */
function addressOf({ socket }: IncomingMessage): string {
  return clientNetwork(socket.remoteAddress ?? '')
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  { type, message, retryAfter }: UserPoolError,
): void {
  const status = statuses[type] ?? 400
  answer(request, response, status, id, JSON.stringify({ __type: type, message }), {
    'x-amzn-errortype': `${type}:`,
    'x-amzn-errormessage': message.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 1000),
    ...([408, 413, 503].includes(status) && { connection: 'close' }),
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  })
}

function answer(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  id: string,
  text: string,
  more: object = {},
): void {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, {
    ...(status !== 204 && { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }),
    'x-amzn-requestid': id,
    ...(headers.origin !== undefined && {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date',
    }),
    ...more,
  })
  response.end(method === 'HEAD' ? undefined : text)
}

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  id: string,
  { status, headers, body }: WebAnswer,
): void {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, {
    ...headers,
    'content-length': Buffer.byteLength(body),
    'x-amzn-requestid': id,
  })
  response.end(method === 'HEAD' ? undefined : body)
}
