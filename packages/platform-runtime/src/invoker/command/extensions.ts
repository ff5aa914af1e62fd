import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EndReason } from '../instance/function-process.ts'
import { type RuntimeEvent, refuse, respondWith, traceOf } from './runtime-interface.ts'
import { type Telemetry, telemetry } from './telemetry.ts'

export interface ExtensionsSettings {
  readonly functionName: string
  readonly handlerName: string
  readonly account: string
  readonly arn: string
  /** The names of the extensions that run as processes of their own, which are the names of their files. */
  readonly external: readonly string[]
  /** Whether extensions may register for events. They may not when several events run at the same time. */
  readonly takeEvents: boolean
}

/** What extensions report. */
export interface ExtensionReports {
  /** All external extensions have registered, so that the runtime may start. */
  readonly registered: () => void
  /** An extension waits for its next event. */
  readonly waiting: () => void
  /** An extension cannot start, or gives up. */
  readonly failed: (why: string) => void
}

/** The interface for the extensions of one instance of a command. */
export interface Extensions {
  /** Answers a request. Returns false for a request that is not one of an extension. */
  readonly respond: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Returns whether all extensions are ready for an event. */
  readonly areWaiting: () => boolean
  readonly invoke: (event: RuntimeEvent) => void
  /** Tells the extensions that registered for it that the instance ends. Returns false if there are none. */
  readonly shutDown: (reason: EndReason, milliseconds: number) => boolean
  readonly telemetry: Telemetry
}

interface Extension {
  readonly name: string
  readonly events: readonly string[]
  /** The events that it has not taken yet. */
  readonly waiting: object[]
  poll: ServerResponse | undefined
}

const extensionLimit = 10
const bodyLimit = 256 * 1024

/** Creates the interface for extensions. */
export function extensionsOf(settings: ExtensionsSettings, reports: ExtensionReports): Extensions {
  const { functionName, handlerName, account, arn, external, takeEvents } = settings
  const registered = new Map<string, Extension>()
  const streams = telemetry()
  let hasBegun = false

  return {
    telemetry: streams,
    areWaiting: () =>
      registered.size >= external.length && [...registered.values()].every(({ poll }) => poll !== undefined),
    invoke({ call, granted }) {
      hasBegun = true
      const { requestId } = call
      announce('INVOKE', {
        deadlineMs: Date.now() + granted,
        requestId,
        invokedFunctionArn: arn,
        tracing: { type: 'X-Amzn-Trace-Id', value: traceOf(call) },
      })
    },
    shutDown: (shutdownReason, milliseconds) =>
      announce('SHUTDOWN', { shutdownReason, deadlineMs: Date.now() + milliseconds }),
    respond(request, response) {
      const { method, url = '' } = request
      const [, path] =
        /^\/(?:2020-01-01|2020-08-15|2022-07-01)\/(extension\/\S*|telemetry|logs)$/.exec(url) ?? []
      if (path === undefined) return false
      if (`${method} ${path}` === 'POST extension/register') withBody(request, response, register)
      else {
        const extension = registered.get(String(request.headers['lambda-extension-identifier']))
        if (extension === undefined)
          refuse(
            response,
            403,
            'Extension.UnknownExtensionIdentifier',
            'The header Lambda-Extension-Identifier does not have the identifier that the registration returned.',
          )
        else if (`${method} ${path}` === 'GET extension/event/next') next(extension, response)
        else if (method === 'POST' && /^extension\/(?:init|exit)\/error$/.test(path))
          withBody(request, response, (_request, _response, body) => fail(extension, request, response, body))
        else if (method === 'PUT' && (path === 'telemetry' || path === 'logs'))
          withBody(request, response, (_request, _response, body) =>
            streams.subscribe(extension.name, body, response),
          )
        else
          refuse(
            response,
            404,
            'UnknownPath',
            `${method} ${path.slice(0, 200)} is not a part of the interface for extensions.`,
          )
      }
      return true
    },
  }

  function announce(eventType: string, more: object): boolean {
    let isAny = false
    for (const extension of registered.values()) {
      if (!extension.events.includes(eventType)) continue
      isAny = true
      extension.waiting.push({ eventType, ...more })
      deliver(extension)
    }
    return isAny
  }

  function deliver(extension: Extension): void {
    const { poll, waiting } = extension
    if (poll === undefined || waiting.length === 0) return
    extension.poll = undefined
    poll.setHeader('Lambda-Extension-Event-Identifier', randomUUID())
    respondWith(poll, 200, waiting.shift()!)
  }

  function next(extension: Extension, response: ServerResponse): void {
    if (extension.poll !== undefined) {
      refuse(
        response,
        403,
        'Extension.InvalidExtensionState',
        `${extension.name} already waits for an event.`,
      )
      return
    }
    extension.poll = response
    response.on('close', () => {
      if (extension.poll === response) extension.poll = undefined
    })
    deliver(extension)
    if (extension.poll !== undefined) reports.waiting()
  }

  function register({ headers }: IncomingMessage, response: ServerResponse, body: unknown): void {
    const name = String(headers['lambda-extension-name'] ?? '')
    const { events = [] } = Object(body) as { readonly events?: unknown }
    const isExternal = external.includes(name)
    const allowed = [...(takeEvents ? ['INVOKE'] : []), ...(isExternal ? ['SHUTDOWN'] : [])]
    const why = !/^[\w.-]{1,128}$/.test(name)
      ? [
          'Extension.InvalidExtensionName',
          'The header Lambda-Extension-Name does not have the name of a file.',
        ]
      : !Array.isArray(events)
        ? ['InvalidRequestFormat', 'The body has no list `events`.']
        : events.some(event => !allowed.includes(event as string))
          ? [
              'Extension.InvalidEventType',
              `${name} may register for ${allowed.join(' and ') || 'no events'}.`,
            ]
          : [...registered.values()].some(each => each.name === name)
            ? ['Extension.InvalidExtensionState', `${name} is already registered.`]
            : hasBegun
              ? ['Extension.RegistrationClosed', 'Extensions register before the first event.']
              : registered.size >= extensionLimit
                ? ['Extension.TooManyExtensions', `There are at most ${extensionLimit} extensions.`]
                : undefined
    if (why !== undefined) {
      refuse(response, 403, why[0]!, why[1]!)
      return
    }
    const id = randomUUID()
    registered.set(id, { name, events: events as readonly string[], waiting: [], poll: undefined })
    response.setHeader('Lambda-Extension-Identifier', id)
    const wantsAccount = String(headers['lambda-extension-accept-feature'] ?? '').includes('accountId')
    respondWith(response, 200, {
      functionName,
      functionVersion: '$LATEST',
      handler: handlerName,
      ...(wantsAccount && { accountId: account }),
    })
    const names = [...registered.values()].map(each => each.name)
    if (isExternal && external.every(each => names.includes(each))) reports.registered()
  }

  function fail(
    { name }: Extension,
    { headers }: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): void {
    const { errorMessage = '' } = Object(body) as { readonly errorMessage?: unknown }
    respondWith(response, 202, { status: 'OK' })
    const type = headers['lambda-extension-function-error-type'] ?? 'Extension.Error'
    reports.failed(`the extension ${name} failed: ${type}: ${String(errorMessage)}`)
  }
}

/** Reads a body as JSON, or as undefined, and calls a function with it. */
function withBody(
  request: IncomingMessage,
  response: ServerResponse,
  take: (request: IncomingMessage, response: ServerResponse, body: unknown) => void,
): void {
  const parts: Buffer[] = []
  let size = 0
  request.on('data', (part: Buffer) => {
    size += part.length
    if (size <= bodyLimit) parts.push(part)
  })
  request.on('end', () => {
    let body: unknown
    try {
      body = JSON.parse(Buffer.concat(parts).toString())
    } catch {
      // The caller says what is missing.
    }
    take(request, response, body)
  })
}
