import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type HttpVerdict,
  httpValueVerdict,
  httpVerdict,
  type Method,
  maxRequestBodyBytes,
  methods,
  requestEvent,
} from '@signalbox/load-balancer/contract'
import {
  type Failure,
  type NewInvocationLogEntry,
  type OpenContext,
  randomUuid,
} from '@signalbox/platform-runtime'
import {
  type AdmitRequest,
  type Body,
  type CountRequest,
  type MemoryBudget,
  readBody,
} from '@signalbox/platform-runtime/listener'
import {
  type Cause,
  fromTraceparent,
  type RemoteSpan,
  rootTraceId,
  toTraceparent,
} from '@signalbox/platform-runtime/traces'
import type { LoadBalancerSettings, Target } from '../config/load-balancer-settings.ts'
import { describeHttpVerdict } from '../describe-http-verdict.ts'
import { userHeader } from '../identity/identity-header.ts'
import { acceptedAnswer, badKey, nameOfKey, statusAnswer } from './execution-answers.ts'
import { type Connection, type HeaderLine, headerLines } from './request/header-lines.ts'
import { hasSameHeaders, type Known, keepable } from './request/known-head.ts'
import { bodyTooLarge, readHead } from './request/refuse-head.ts'
import type { RequestTarget } from './request/request-target.ts'
import { rootOf, traceId } from './request/trace-id.ts'
import { type PlainResponse, plainResponse } from './response/plain-response.ts'
import { giveUp, refuse, send } from './response/write-response.ts'
import { type ActionChecks, noChecks, type Passed } from './rules/action-checks.ts'
import { type Choice, chooseAction, type Steps } from './rules/choose-action.ts'
import type { RoutedRequest } from './rules/location-of.ts'

/** The response to a client. */
type Answer =
  | HttpVerdict
  | (PlainResponse & { readonly kind: 'unavailable'; readonly why: string })
  | (PlainResponse & { readonly kind: 'execution' })

/** A client connection, with the head of its last request. */
export interface Client {
  readonly connection: Connection
  known: Known | undefined
  /** Stops accepting requests, so that the connection ends after the current response. */
  readonly end: () => void
}

/** Sends a request to the function, and the function's result to the client. */
export type Exchange = (
  request: IncomingMessage,
  response: ServerResponse,
  client: Client,
  mayContinue: (() => void) | undefined,
) => void

/** The functions that see each request first. */
interface Arrivals {
  /** Counts a request for the metrics. */
  readonly count: CountRequest
  /** Returns the seconds after which a client that sends too many requests may try again. */
  readonly admit: AdmitRequest
}

/** Connects a load balancer with its functions. */
export function exchange(
  settings: LoadBalancerSettings,
  context: OpenContext,
  memory: MemoryBudget,
  { count, admit }: Arrivals,
  checks: ActionChecks = noChecks,
): Exchange {
  const { dispatch, clock, random, dialectOf, traces, services } = context
  const { always, stepsFor } = chooseAction(
    settings,
    checks,
    clock,
    () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32,
  )
  const contractNames = new Map(settings.functionNames.map(name => [name, dialectOf(name)?.header]))
  const source = `load balancer ${settings.name}`
  // What a verdict reads of an event: the method and the kind of header maps.
  const outlines = (multiValue: boolean) =>
    new Map(
      methods.map(method => [
        method,
        requestEvent({ method, path: '/' }, { multiValue, targetGroupArn: '' }),
      ]),
    )
  const [singleOutlines, multiOutlines] = [outlines(false), outlines(true)]

  const sendRefusal = (
    request: IncomingMessage,
    response: ServerResponse,
    client: Client,
    answer: PlainResponse,
  ): void => {
    client.end()
    refuse(request, response, answer)
  }

  const headOf = (
    request: IncomingMessage,
    client: Client,
    host: string | undefined,
    contractName: Known['contractName'],
  ): Known => {
    const { lines, trace, traceparent } = headerLines(
      request.rawHeaders,
      client.connection,
      host,
      contractName,
    )
    return {
      raw: request.rawHeaders,
      minor: request.httpVersionMinor,
      lines,
      trace,
      traceparent,
      contractName,
    }
  }

  /** Returns a request as rules and sign-in see it. */
  const routedRequest = (
    request: IncomingMessage,
    { connection }: Client,
    { path, query, host }: RequestTarget,
  ): RoutedRequest => {
    const authority = host ?? hostHeader(request.rawHeaders)
    return {
      ...{ method: request.method!, path, query, authority, host: nameOf(authority) },
      rawHeaders: request.rawHeaders,
      clientAddress: connection.clientAddress,
      isSecure: connection.isSecure ?? false,
      port: connection.port,
    }
  }

  const invoke = (
    request: IncomingMessage,
    response: ServerResponse,
    client: Client,
    { path, query, host }: RequestTarget,
    { functionName, multiValue, targetGroupArn, execution }: Target,
    before: Known | undefined,
    body: Uint8Array,
    { headers: added, cookies }: Passed = nothing,
  ): void => {
    const method = request.method as Method
    // Requests with the same key are one, if nothing else distinguishes them.
    const name =
      execution &&
      nameOfKey(
        request.headers['idempotency-key']?.toString(),
        ...[method, path, query, request.headers.authorization],
        ...[added.find(([each]) => each === userHeader)?.[1], body],
      )
    if (name === null) {
      send(response, badKey, memory)
      return
    }
    const contractName = contractNames.get(functionName)
    const isKnown = host === undefined && before !== undefined && before.contractName === contractName
    const known = isKnown ? before : headOf(request, client, host, contractName)
    if (known !== before && host === undefined) client.known = keepable(known)
    const requestId = randomUuid(random)
    const trace = traceId(known.trace, rootTraceId(requestId, clock.wall()))
    const cause = causeOfRequest(known.traceparent, trace)
    const accepted = traces?.start(cause)
    const startedAt = traces?.now()
    const lines = accepted === undefined ? known.lines : withSpan(known.lines, accepted)
    const headers = [...lines, ...added, ['x-cloud-trace-id', trace] as const]
    const outline = (multiValue ? multiOutlines : singleOutlines).get(method)!
    void dispatch<Answer>({
      functionName,
      event: requestEvent({ method, path, query, headers, body }, { multiValue, targetGroupArn }),
      handsOverEvent: true,
      takesValue: true,
      family: 'load-balancer',
      source,
      requestId,
      cause: accepted === undefined ? cause : { parent: accepted },
      client: client.connection.client,
      execution: execution && { name, onFailure: execution.onFailure },
      verdict(payload, failure, value) {
        const refusal = unavailable(failure)
        if (refusal !== undefined) return refusal
        if (execution !== undefined) return { kind: 'execution', ...acceptedAnswer(payload, execution) }
        return value === undefined ? httpVerdict(payload, outline) : httpValueVerdict(value, outline)
      },
      describe,
    })
      .then(({ verdict }) => {
        send(response, withCookies(verdict, cookies), memory)
        if (traces !== undefined)
          traces.end(accepted!, {
            ...cause,
            ...acceptFacts(method, verdict.status, source),
            startedAt: startedAt!,
          })
      })
      .catch(() => giveUp(response))
  }

  /** Chooses the function for a request that goes on, or the response without one. */
  const act = (
    request: IncomingMessage,
    response: ServerResponse,
    client: Client,
    target: RequestTarget,
    before: Known | undefined,
    body: Uint8Array,
    { choice, rewrite }: { readonly choice: Choice; readonly rewrite: Steps['rewrite'] },
    routed: RoutedRequest,
    passed: Passed,
  ): void => {
    const cookies = [...passed.cookies, ...('target' in choice ? (choice.cookies ?? []) : [])]
    const rewritten = 'target' in choice ? (rewrite?.(routed) ?? {}) : {}
    if ('execution' in choice) {
      const { id, functionName } = choice.execution
      services
        .executions!.state(id)
        .then(state => send(response, withCookies(statusAnswer(state, functionName), cookies), memory))
        .catch(() => giveUp(response))
    } else if ('response' in choice) send(response, withCookies(choice.response, cookies), memory)
    else if (rewritten === 'failed') send(response, withCookies(notRewritten, cookies), memory)
    else {
      const host = rewritten.host ?? target.host
      const rest = { ...target, ...rewritten.target, ...(host !== undefined && { host }) }
      invoke(request, response, client, rest, choice.target, before, body, { ...passed, cookies })
    }
  }

  return (request, response, client, mayContinue) => {
    count(response)
    const seconds = admit(request, response)
    if (seconds > 0) return sendRefusal(request, response, client, tooManyRequests(seconds))
    const before =
      client.known !== undefined && hasSameHeaders(request, client.known) ? client.known : undefined
    const target = readHead(request, before !== undefined)
    if ('status' in target) return sendRefusal(request, response, client, target)
    if (settings.names !== undefined && !isNamed(request, settings.names, target.host))
      return sendRefusal(request, response, client, misdirected)
    // Node drops bytes that arrive together with a refused upgrade.
    if (before === undefined && request.headers.upgrade !== undefined) {
      client.end()
      response.shouldKeepAlive = false
    }
    mayContinue?.()
    const take = (body: Body) => {
      if (body === 'aborted') return
      if (typeof body === 'string') return sendRefusal(request, response, client, bodyRefusals[body])
      // From here on, the bytes stay in memory for as long as the function runs.
      if (body.bytes.byteLength > 0) memory.reserve(response, body.bytes.byteLength)
      try {
        if (always !== undefined) return invoke(request, response, client, target, always, before, body.bytes)
        const routed = routedRequest(request, client, target)
        const { completing } = checks
        const isBack = completing !== undefined && routed.path === completing.path
        const { choose, rewrite, check } = isBack ? { ...noSteps, ...completing } : stepsFor(routed)
        const goOn = (passed: Passed) =>
          act(
            ...([request, response, client, target, before, body.bytes] as const),
            ...([{ choice: choose(routed), rewrite }, routed, passed] as const),
          )
        if (check === undefined) return goOn(nothing)
        check(routed)
          .then(checked => ('response' in checked ? send(response, checked.response, memory) : goOn(checked)))
          .catch(() => giveUp(response))
      } catch {
        giveUp(response)
      }
    }
    const body = readBody(request, maxRequestBodyBytes, memory, response)
    if (body instanceof Promise) void body.then(take)
    else take(body)
  }
}

/** Returns the value of the header Host. Node would read all headers for it. */
function hostHeader(raw: readonly string[]): string {
  for (let at = 0; at < raw.length; at += 2)
    if (raw[at]!.length === 4 && raw[at]!.toLowerCase() === 'host') return raw[at + 1]!
  return ''
}

const nothing: Passed = { headers: [], cookies: [] }

/** The steps of a request that its check always answers. */
const noSteps: Steps = { choose: () => ({ response: plainResponse(404, 'Not found') }) }

const notRewritten = plainResponse(500, 'The host or the path cannot be rewritten')

/** What lets shared caches keep a response, but not the cookies that the load balancer adds (RFC 9111, 5.2.2.4). */
const cookiesNotKept = ['cache-control', 'no-cache="Set-Cookie"'] as const

/** Returns a response with further cookies. */
function withCookies<A extends Pick<PlainResponse, 'headers'>>(answer: A, cookies: readonly string[]): A {
  if (cookies.length === 0) return answer
  const added = cookies.map(each => ['set-cookie', each] as const)
  return { ...answer, headers: [...answer.headers, ...added, cookiesNotKept] }
}

/** Returns the span of a client, or the id of the trace that its request begins. */
function causeOfRequest(traceparent: string | undefined, trace: string): Cause {
  const parent = traceparent === undefined ? undefined : fromTraceparent(traceparent)
  return parent === undefined ? { traceId: rootOf(trace) } : { parent }
}

/** Returns header lines in which a span is in the place of the client's. */
function withSpan(lines: readonly HeaderLine[], span: RemoteSpan): readonly HeaderLine[] {
  return [...lines.filter(([name]) => name !== 'traceparent'), ['traceparent', toTraceparent(span)]]
}

function acceptFacts(method: Method, status: number, source: string) {
  const attributes = {
    ...{ 'http.request.method': method, 'http.response.status_code': status, 'signalbox.source': source },
  }
  return {
    name: method,
    kind: 'server',
    attributes,
    error: status >= 500 ? String(status) : undefined,
  } as const
}

function tooManyRequests(seconds: number): PlainResponse {
  return plainResponse(429, `Too many requests. Try again after ${seconds} seconds.`, [
    ['retry-after', String(seconds)],
  ])
}

/** The response to a request whose host is not a name of this listener (RFC 9110, 15.5.20). */
const misdirected = plainResponse(421, 'This listener has another name')

/** Returns the name in a Host header, without a port and in small letters. */
function nameOf(host: string | undefined): string {
  return (host ?? '').replace(/:\d*$/, '').toLowerCase()
}

/**
 * Returns whether a request is for a name of this listener. `host` is the host of an absolute URL in the request line.
 */
function isNamed({ headers }: IncomingMessage, names: readonly string[], host: string | undefined): boolean {
  const name = nameOf(host ?? headers.host)
  return names.some(each => each.toLowerCase() === name)
}

const bodyRefusals: { readonly [problem in Exclude<Body, object | 'aborted'>]: PlainResponse } = {
  'too large': bodyTooLarge,
  'too slow': plainResponse(408, 'The request took too long'),
  'no memory': plainResponse(503, 'There are too many requests'),
}

function describe(answer: Answer): NewInvocationLogEntry['verdict'] {
  if (answer.kind === 'execution') return { kind: 'execution', ok: true, text: '202 Accepted: an execution' }
  return answer.kind === 'unavailable'
    ? { kind: 'unavailable', ok: false, text: `${answer.status} ${answer.reason}: ${answer.why}` }
    : describeHttpVerdict(answer)
}

function unavailable(failure: Failure | undefined): Answer | undefined {
  return failure?.kind === 'unavailable'
    ? { kind: 'unavailable', why: failure.message, ...plainResponse(503, 'Service Unavailable') }
    : undefined
}
