import type { InvocationContext, Request } from '@signalbox/core'
import { fromTraceHeader, fromTraceparent } from '../trace/remote-span.ts'
import type { Attributes, Failure, NewSpan, RemoteSpan, Tracer } from '../trace/span.ts'
import { failureOf, handledFailure } from './failure.ts'

/** What telemetry says of an invocation. The names are those of OpenTelemetry's conventions, see `conventions.ts`. */
export interface InvocationFacts extends Pick<NewSpan, 'name' | 'kind' | 'attributes' | 'links'> {
  /** The span that caused the invocation. */
  readonly parent: RemoteSpan | undefined
  /** Returns what is known when the invocation has ended. */
  readonly atEnd: (request: Request) => EndFacts
}

interface EndFacts {
  readonly name?: string
  readonly attributes?: Attributes
  readonly failure?: Failure | undefined
}

/** An event as far as telemetry reads it. Each family of events has some of the fields. */
export interface AnyEvent {
  readonly triggerSource?: unknown
  readonly Records?: unknown
  readonly httpMethod?: unknown
  readonly headers?: { readonly [name: string]: unknown } | null
  readonly multiValueHeaders?: { readonly [name: string]: unknown } | null
  readonly path?: unknown
  readonly flowDirection?: unknown
  readonly envelope?: { readonly recipients?: unknown }
}

/** A record of a batch as far as telemetry reads it, in neutral names or those of AWS. */
export interface AnyRecord {
  readonly receiptHandle?: unknown
  readonly messageId?: unknown
  readonly eventSourceARN?: unknown
  readonly attributes?: { readonly [name: string]: unknown } | null
  readonly messageAttributes?: { readonly [name: string]: unknown } | null
}

/** Returns the facts about an event of any family, or of none. */
export function invocationFacts(
  event: unknown,
  context: InvocationContext | undefined,
  tracer: Tracer,
  joinsSender: boolean,
): InvocationFacts {
  const { triggerSource, Records, httpMethod, flowDirection } = Object(event) as AnyEvent
  const facts = isBatch(Records)
    ? batchFacts(Records, tracer, joinsSender)
    : typeof httpMethod === 'string'
      ? requestFacts(event as AnyEvent, httpMethod, tracer)
      : typeof triggerSource === 'string'
        ? triggerFacts(triggerSource)
        : typeof flowDirection === 'string'
          ? mailFacts(event as AnyEvent, flowDirection)
          : otherFacts()
  const { functionName, requestId, awsRequestId, invokedFunctionArn } = context ?? {}
  const platform = platformSpan(context)
  return {
    kind: 'server',
    links: [],
    parent: undefined,
    atEnd: handledFailure,
    ...facts,
    ...(platform !== undefined && { parent: ofPlatform(platform, facts.parent) }),
    name: facts.name ?? textOf(functionName) ?? 'function',
    attributes: {
      'faas.invocation.id': textOf(awsRequestId ?? requestId),
      'faas.name': textOf(functionName),
      'aws.lambda.invoked_arn': textOf(invokedFunctionArn),
      ...facts.attributes,
    },
  }
}

/**
 * Returns the platform's span of an invocation. A runtime of the provider has it in a variable, which on the provider itself
 * names spans that only the provider has.
 */
export function platformSpan(context: InvocationContext | undefined): RemoteSpan | undefined {
  const span = fromTraceparent(textOf(context?.traceparent))
  if (span !== undefined || process.env.AWS_EXECUTION_ENV !== 'Signalbox') return span
  return fromTraceHeader(process.env._X_AMZN_TRACE_ID)
}

/**
 * Returns the parent of an invocation on the platform. A platform that sends no spans does not decide whether the function
 * sends its own.
 */
function ofPlatform(platform: RemoteSpan, sender: RemoteSpan | undefined): RemoteSpan {
  return platform.isSampled || sender?.isSampled === false ? platform : { ...platform, isSampled: true }
}

/**
 * Returns whether records are messages of a queue. Other services also send records, without receipt handles. The field
 * `eventSource` is not read: while functions are developed, reading it warns of a comparison with a provider's name.
 */
export function isBatch(records: unknown): records is readonly AnyRecord[] {
  if (!Array.isArray(records)) return false
  return records.every(record => {
    const { receiptHandle, messageId } = Object(record) as AnyRecord
    return typeof receiptHandle === 'string' && typeof messageId === 'string'
  })
}

type FamilyFacts = Partial<InvocationFacts> & Pick<InvocationFacts, 'attributes'>

function batchFacts(records: readonly AnyRecord[], tracer: Tracer, joinsSender: boolean): FamilyFacts {
  const queues = new Set(records.map(queueOf))
  const [queue] = queues
  const [sender] = records.length === 1 ? [senderOf(records[0]!, tracer)] : []
  const joined = joinsSender ? sender : undefined
  return {
    name: queues.size === 1 ? `process ${queue}` : 'process multiple_sources',
    kind: 'consumer',
    parent: joined,
    attributes: {
      ...messagingAttributes,
      'messaging.destination.name': queues.size === 1 ? queue : undefined,
      'messaging.batch.message_count': records.length,
    },
    atEnd(request) {
      const failures = (request.response as { readonly batchItemFailures?: unknown } | undefined)
        ?.batchItemFailures
      return {
        ...handledFailure(request),
        attributes: {
          'signalbox.queue.failed_messages': Array.isArray(failures) ? failures.length : undefined,
        },
      }
    },
  }
}

const messagingAttributes = {
  'faas.trigger': 'pubsub',
  'messaging.system': 'aws_sqs',
  'messaging.operation.name': 'process',
  'messaging.operation.type': 'process',
} as const

/** Returns what the span of one message says. */
export function messageFacts(
  record: AnyRecord,
  tracer: Tracer,
): Pick<NewSpan, 'name' | 'kind' | 'attributes' | 'links'> {
  const sender = senderOf(record, tracer)
  const queue = queueOf(record)
  return {
    name: `process ${queue}`,
    kind: 'consumer',
    attributes: {
      ...messagingAttributes,
      'messaging.destination.name': queue,
      'messaging.message.id': textOf(record.messageId),
      'signalbox.queue.attempt': attemptOf(record),
    },
    links: sender === undefined ? [] : [sender],
  }
}

/** Returns how often a message was received, or undefined for an invalid record. */
export function attemptOf({ attributes }: AnyRecord): number | undefined {
  const count = Number(textOf(attributes?.ApproximateReceiveCount))
  return Number.isSafeInteger(count) ? count : undefined
}

export function queueOf({ eventSourceARN }: AnyRecord): string {
  const name = typeof eventSourceARN === 'string' ? eventSourceARN.split(':').at(-1) : undefined
  return name || 'unknown'
}

/**
 * Returns the span that sent a message: that of its trace header, or that which an instrumentation of the SDK wrote into
 * the attributes of the message.
 */
function senderOf({ attributes, messageAttributes }: AnyRecord, tracer: Tracer): RemoteSpan | undefined {
  const header = attributes?.CloudTraceHeader ?? attributes?.AWSTraceHeader
  return (
    fromTraceHeader(textOf(header)) ??
    tracer.remote(name =>
      textOf((messageAttributes?.[name] as { readonly stringValue?: unknown } | undefined)?.stringValue),
    )
  )
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'])

/** Returns a method that HTTP knows. Anything else may be a text of the client. */
export function knownMethod(method: string): string | undefined {
  return methods.has(method) ? method : undefined
}

function requestFacts(event: AnyEvent, method: string, tracer: Tracer): FamilyFacts {
  const header = (name: string) => {
    const value = event.multiValueHeaders?.[name] ?? event.headers?.[name]
    return textOf(Array.isArray(value) ? value.at(-1) : value)
  }
  const scheme = header('x-forwarded-proto')
  const known = knownMethod(method)
  return {
    name: known ?? 'HTTP',
    parent: tracer.remote(header),
    attributes: {
      'faas.trigger': 'http',
      'http.request.method': known ?? '_OTHER',
      'url.scheme': scheme === 'http' || scheme === 'https' ? scheme : undefined,
    },
    atEnd(request) {
      const route = routeOf(request, method, event.path)
      const { statusCode: status } = Object(request.response) as { readonly statusCode?: unknown }
      const isFailed = typeof status === 'number' && status >= 500
      const { failure } = handledFailure(request)
      const thrown = request.error === undefined ? undefined : failureOf(request.error)
      return {
        ...(route !== undefined && { name: `${known ?? 'HTTP'} ${route}` }),
        attributes: {
          'http.route': route,
          'http.response.status_code': typeof status === 'number' ? status : undefined,
        },
        failure: failure ?? (isFailed ? (thrown ?? { type: String(status) }) : undefined),
      }
    },
  }
}

/** Returns the path of the route that served a request. `loadBalancer()` leaves its routes for middlewares. */
export function routeOf({ internal }: Request, method: string, path: unknown): string | undefined {
  const routes = internal?.loadBalancerRoutes as
    | {
        readonly find?: (
          method: string,
          path: string,
        ) => { readonly route: { readonly path: string } } | undefined
      }
    | undefined
  return typeof path === 'string' ? routes?.find?.(method, path)?.route.path : undefined
}

function triggerFacts(source: string): FamilyFacts {
  return {
    name: source,
    attributes: { 'faas.trigger': 'other', 'signalbox.user_pool.trigger_source': source },
  }
}

function mailFacts({ envelope }: AnyEvent, direction: string): FamilyFacts {
  const recipients = envelope?.recipients
  return {
    name: `mail ${direction}`,
    attributes: {
      'faas.trigger': 'other',
      'signalbox.mail.flow_direction': direction,
      'signalbox.mail.recipients': Array.isArray(recipients) ? recipients.length : undefined,
    },
    atEnd(request) {
      const { actions } = Object(request.response) as { readonly actions?: unknown }
      const types = Array.isArray(actions)
        ? actions.map(
            each => textOf((each as { readonly action?: { readonly type?: unknown } })?.action?.type) ?? '?',
          )
        : []
      return {
        ...handledFailure(request),
        attributes: { 'signalbox.mail.actions': types.length > 0 ? types.join(' ') : undefined },
      }
    },
  }
}

function otherFacts(): FamilyFacts {
  return { attributes: { 'faas.trigger': 'other' } }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
