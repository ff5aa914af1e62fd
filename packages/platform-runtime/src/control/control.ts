import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type Clock, systemClock } from '@signalbox/core/base'
import type { Access } from '../access/access.ts'
import type { ListenerLimitsConfig } from '../fields/limits.ts'
import type { TlsFiles } from '../fields/tls-files.ts'
import type { Address } from '../listener/address.ts'
import { createServer } from '../listener/http.ts'
import { limitClients } from '../listener/limit-clients.ts'
import { backlog, limitConnections } from '../listener/limit-connections.ts'
import { listenError } from '../listener/listen-error.ts'
import { listenUrl } from '../listener/listen-url.ts'
import { memoryBudget } from '../listener/memory-budget.ts'
import { hasOwnHost, isOwnAddress } from '../listener/own-host.ts'
import { serveInOrder } from '../listener/request-pipeline.ts'
import { withTls } from '../listener/with-tls.ts'
import type { Meter } from '../metrics/meter.ts'
import { requestCounts } from '../metrics/request-counts.ts'
import { type Answer, plainText, send, tooMany } from './answer.ts'
import { refusalOf } from './authentication.ts'
import { apiFor, type ControlApi } from './control-api.ts'
import { answerTo, type ControlRoute, type OwnNames, webPageRefusal } from './documents.ts'
import type { FunctionTokens } from './function-tokens.ts'
import type { TestInterface } from './test-interface.ts'

/** The settings of the control address, and the services that it offers in addition to documents. */
export interface ControlOptions {
  readonly port: number
  readonly host: string
  /** Whether clients need no key although the address is not for this machine alone. */
  readonly open?: boolean
  /** Further names that the Host header can contain. */
  readonly names?: readonly string[]
  /** The certificate. With it, clients connect over HTTPS. */
  readonly tls?: TlsFiles | undefined
  /** The origin at which browsers reach the console through a proxy. */
  readonly origin?: string | undefined
  /** The limits of each client address. Undefined for no limits. */
  readonly limits?: ListenerLimitsConfig | undefined
  /** Whether the listener may use another free port when `port` is in use. */
  readonly takesOtherPort?: boolean
  /** Identifies clients. Undefined when clients need no key to read documents. */
  readonly access?: Access | undefined
  readonly clock?: Clock
  /** Tells the operator that changed certificate files cannot be used. */
  readonly notice?: (text: string) => void
  readonly tokens?: FunctionTokens | undefined
  /**
   * Returns the reason why the platform accepts no requests now, for `GET /readyz`. Returns undefined when it accepts
   * requests.
   */
  readonly unready?: (() => string | undefined) | undefined
  /**
   * Answers the requests for `/console` and below, once it is open. It authenticates its clients itself. Undefined without
   * console.
   */
  readonly console?: (() => { readonly serve: RequestListener } | undefined) | undefined
  /** Answers the requests for `/testing` and below, once the platform has started. Undefined without test interface. */
  readonly tests?: (() => TestInterface | undefined) | undefined
  /** The APIs of sources, and that of metrics. */
  readonly apis?: readonly ControlApi[]
  readonly meter?: Meter
}

/** The control address of a platform. */
export interface Control {
  readonly name: string
  readonly start: () => Promise<Address>
  /** Stops answering. Resolves when every running request has ended, or after `grace` milliseconds. */
  readonly stop: (grace: number) => Promise<void>
  /** Returns the URL at which functions on this machine reach the control address, once it has started. */
  readonly url: () => string
}

/**
 * Serves the documents of the sources at `GET /{collection}/{id}`, the console, and the probes `GET /livez` and `GET
 * /readyz` for supervisors and load balancers. The probes need no key and accept every Host header. With `access`,
 * clients need a key with the right to read a document, and functions use their own token. Without `access`, the server
 * listens only on this machine unless configured otherwise. It refuses requests from web pages, because a browser on
 * this machine could send them. The console has its own sessions.
 */
export function control(
  {
    port,
    host,
    open = false,
    names = [],
    origin,
    takesOtherPort = false,
    tls,
    limits,
    clock = systemClock,
    notice = () => {},
    access,
    tokens,
    unready,
    console,
    tests,
    apis = [],
    meter,
  }: ControlOptions,
  routes: readonly ControlRoute[],
): Control {
  let url = ''
  const ownNames = { host, names: origin === undefined ? names : [...names, new URL(origin).hostname] }
  const memory = memoryBudget(clock)
  const count = requestCounts(meter, 'control')
  const otherPaths = [
    ...['/livez', '/readyz', ...apis.filter(({ isListed }) => isListed).map(({ name }) => `/${name}`)],
    ...(tests === undefined ? [] : ['/testing']),
  ]
  // A proxy on this machine may make others its clients (`open`), but not of the test interface.
  const testClients = { access, tokens, open: open && !isOwnAddress(host.toLowerCase()) }
  const testAnswer = (request: IncomingMessage, response: ServerResponse): Answer | Promise<Answer> => {
    const [path] = (request.url ?? '').slice(1).split('?')
    const refused = refusalOf(request, testClients, {
      ...{ collection: 'testing', right: 'use', resource: path! },
      isFor: () => false,
      refusal:
        "This key may not use the test interface: its identity needs rights: { testing: { use: ['*'] } }.",
    })
    return refused ?? tests!()?.(request, response, memory) ?? starting
  }
  const server = createServer({ requestTimeout: 60_000, answersHalfClosed: true })
  const admit = limitClients(server, limits, clock)
  const serve = serveInOrder((request, response) => {
    count(response)
    const probed = probeAnswer(request, unready)
    // An orchestrator would restart the platform if a probe got 429.
    const seconds = probed === undefined ? admit(request, response) : 0
    if (seconds > 0) return send(request, response, tooMany(seconds), memory)
    const isForConsole = console !== undefined && isConsole(request, ownNames)
    const opened = isForConsole ? console() : undefined
    if (opened !== undefined) {
      opened.serve(request, response)
      return
    }
    response.once('close', () => memory.release(response))
    const api = apiFor(apis, request)
    const answer =
      probed ??
      webPageRefusal(request, ownNames) ??
      (isForConsole
        ? starting
        : tests !== undefined && isTest(request)
          ? testAnswer(request, response)
          : api !== undefined
            ? api.answer({ request, response, memory, access, tokens, open })
            : answerTo(request, { access, tokens, open }, routes, otherPaths))
    void Promise.resolve(answer).then(answer => send(request, response, answer, memory))
  })
  server.on('request', serve)
  limitConnections(server)
  const front = withTls(server, tls, undefined, { clock, notice })
  return {
    name: 'control',
    url: () => url,
    start: () =>
      new Promise((resolve, reject) => {
        front.on('error', (error: NodeJS.ErrnoException) => {
          if (error.code === 'EADDRINUSE' && takesOtherPort) front.listen(0, host, backlog)
          else reject(listenError('The control address', 'control.port', { port, host }, error))
        })
        front.listen(port, host, backlog)
        front.once('listening', () => {
          const listening = listenUrl(tls === undefined ? 'http' : 'https', front)
          // On some systems, clients cannot connect to a wildcard address, so functions get the loopback address.
          url = listening.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
          // Certificates seldom contain an IP address, so functions get the host name.
          if (tls !== undefined && names[0] !== undefined) url = `https://${names[0]}:${new URL(url).port}`
          resolve({ source: 'control', url: listening })
        })
      }),
    stop: () =>
      new Promise(resolve => {
        if (!front.listening) return resolve()
        front.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The answer of a part that is not open yet. */
const starting = plainText(503, 'The platform is starting.')

/**
 * Returns whether a request is for the console and has a Host header that names this listener, which prevents DNS
 * rebinding.
 */
function isConsole(request: IncomingMessage, { host, names }: OwnNames): boolean {
  return /^\/console(?:[/?#]|$)/.test(request.url ?? '') && hasOwnHost(request, host, names)
}

/** Returns whether a request is for the test interface. */
function isTest({ url = '' }: IncomingMessage): boolean {
  return /^\/testing(?:[/?#]|$)/.test(url)
}

/** Returns the answer to a probe. Web pages and unknown clients can read it, so it contains nothing confidential. */
function probeAnswer({ method, url = '' }: IncomingMessage, unready: ControlOptions['unready']) {
  const [path] = url.split('?')
  if ((path !== '/livez' && path !== '/readyz') || (method !== 'GET' && method !== 'HEAD')) return undefined
  const why = path === '/readyz' ? unready?.() : undefined
  return why === undefined ? plainText(200, 'ok') : plainText(503, why)
}
