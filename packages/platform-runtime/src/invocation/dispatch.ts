import type { Clock } from '@signalbox/core'
import { type Dialect, translateEvent, translatePayload } from '../dialect/dialect.ts'
import type { LoggedTrace, NewInvocationLogEntry } from '../invocation-log/entry.ts'
import type { Call, Failure, InvocationResult, Invoker } from '../invoker/invoker.ts'
import { failedResult } from '../invoker/result/failed-result.ts'
import { type Random, randomUuid } from '../random.ts'
import { activeCause, type RemoteSpan, toTraceparent } from '../traces/index.ts'
import { type Cause, invocationSpan, rootTraceId } from '../traces/span.ts'
import type { Traces } from '../traces/traces.ts'
import type { ExecutionStart } from './executions.ts'
import { type InFlight, inFlight } from './in-flight.ts'
import type { Invocation } from './invocation.ts'

/** An event for a function, with functions that read the result. */
interface DispatchRequest<V> {
  readonly functionName: string
  /** An event in the contract's names. It does not change, unless `handsOverEvent` is set. */
  readonly event: unknown
  /** The event as JSON text, with `verbatim`. Default: the JSON of `event`. */
  readonly text?: string
  /**
   * Whether the event was made for this request alone and equals its text. A function may then receive and change it.
   */
  readonly handsOverEvent?: boolean
  /** Whether text and payload are passed on unchanged, without the function's dialect. */
  readonly verbatim?: boolean
  /** With `verbatim`: fields that are added to the context. */
  readonly context?: Call['context']
  /** Whether the event continues an execution of a durable function. Any other event starts one. */
  readonly isPartOfExecution?: boolean
  /**
   * How a durable function begins an execution whose end is not waited for. The payload is then a `StartedExecution`.
   * Default: the end is waited for. Without effect on a function that is not durable.
   */
  readonly execution?: ExecutionStart | undefined
  readonly family: string | undefined
  /** The client that caused the event, by the key of `clientNetwork()`. Undefined when no client did. */
  readonly client?: string | undefined
  /** The source of the event, for the invocation log. */
  readonly source: string
  /** The spans that caused the event. Default: the span of which the caller is a part. */
  readonly cause?: Cause
  /** The number of this attempt. Default 1. */
  readonly attempt?: number
  /** The request id, which is the same for every attempt. Default: a new id. */
  readonly requestId?: string
  /** The maximum time in milliseconds that the event's family allows. */
  readonly timeLimit?: number | undefined
  /** Returns the source's verdict on the payload, with `failure` when the function returned no payload. */
  readonly verdict: (payload: string, failure: Failure | undefined, value?: unknown) => V
  /**
   * Whether the verdict can read a result as a value. The long strings in the payload of a long result are then
   * truncated.
   */
  readonly takesValue?: boolean
  /** Returns the verdict for the invocation log. */
  readonly describe: (verdict: V) => NewInvocationLogEntry['verdict']
}

/** Sends an event to a function, and gets the source's verdict on its payload. Never rejects. */
export type Dispatch = <V>(request: DispatchRequest<V>) => Promise<Invocation<V>>

/** A function's invoker and dialect. */
export interface Callee {
  readonly invoker: Invoker
  /**
   * Starts an execution of a durable function. Waits for its end, unless `start` says otherwise. Absent for a function that
   * is not durable.
   */
  readonly execute?: ((call: Call, start?: ExecutionStart) => Promise<InvocationResult>) | undefined
  readonly dialect: Dialect | undefined
}

/** The parts of a callee that a call uses. */
type Called = Pick<Callee, 'dialect' | 'execute'> & { readonly invoker: Pick<Invoker, 'invoke'> }

/**
 * Returns a function that calls the invoker with an event, obtains the verdict on the payload, and logs the invocation.
 * @param work counts the invocations that are running
 * @param traces records a span for each invocation. Absent while no spans are sent
 */
export function dispatcher(
  callees: ReadonlyMap<string, Callee>,
  record: (entry: NewInvocationLogEntry) => void,
  clock: Clock,
  random: Random,
  work: Pick<InFlight, 'begin' | 'end'> = inFlight(),
  traces?: Traces,
): Dispatch {
  return async <V>(request: DispatchRequest<V>): Promise<Invocation<V>> => {
    const { functionName, source, family, attempt = 1, requestId = randomUuid(random) } = request
    const text = request.text ?? textOf(request.event)
    const { cause = activeCause() } = request
    const started = clock.now()
    const began = clock.wall(started)
    const span = invocationSpan(requestId, attempt, cause, traces?.sample, began)
    // While the platform sends no spans, what a function does belongs to the span that caused the event, if there is one.
    const traceparent = toTraceparent(traces === undefined ? (cause.parent ?? span) : span)
    const callee = callees.get(functionName)
    // What only waits for an execution is no work of its own, which others may have to wait for.
    const onlyWaits = callee?.execute !== undefined && request.isPartOfExecution !== true
    if (!onlyWaits) work.begin()
    try {
      const answered =
        text === undefined
          ? failedResult('threw', 'its event is nested too deeply to be sent', 1)
          : await call(request, callee ?? unknownFunction(request), text, {
              requestId,
              traceparent,
            })
      const { payload, failure, logs, generation, verdict, described } = withVerdictOrFailure(
        request,
        typeof answered.payload === 'string' ? answered : withoutText(answered),
      )
      const duration = clock.now() - started
      record({
        ...{ requestId, functionName, source, family, attempt, generation },
        ...{ started: began, duration, event: text ?? 'null' },
        ...{ payload, failure, verdict: described, logs },
        trace: traceOf(cause, span, rootTraceId(requestId, began)),
      })
      traces?.end(span, {
        ...{ ...cause, name: `invoke ${functionName}`, kind: 'client', startedAt: began },
        attributes: {
          'faas.invoked_name': functionName,
          'faas.invocation.id': requestId,
          'signalbox.source': source,
          'signalbox.attempt': attempt,
          'signalbox.verdict': described?.kind,
        },
        error: failure?.kind ?? (described?.ok === false ? described.kind : undefined),
      })
      return { requestId, payload, failure, verdict, logs, duration }
    } finally {
      if (!onlyWaits) work.end()
    }
  }
}

/** Returns what the log keeps of a trace: nothing for an invocation that began the trace which its request id names. */
function traceOf(
  { parent, links = [] }: Cause,
  { traceId }: RemoteSpan,
  root: string,
): LoggedTrace | undefined {
  if (parent === undefined && links.length === 0 && traceId === root) return undefined
  return { traceId, parentId: parent?.spanId, links }
}

/**
 * Returns a callee whose calls fail, for a function that the configuration does not have. Clients can name such a
 * function, and a later configuration can lack one that a stored resource names.
 */
function unknownFunction({
  functionName,
  source,
}: Pick<DispatchRequest<unknown>, 'functionName' | 'source'>): Called {
  const why = `the configuration has no function ${JSON.stringify(functionName)}, which ${source} names`
  return { invoker: { invoke: async () => failedResult('unavailable', why, 1) }, dialect: undefined }
}

/** Returns an event as JSON text. Returns undefined for an event that is nested too deeply for that. */
function textOf(event: unknown): string | undefined {
  try {
    return JSON.stringify(event) ?? 'null'
  } catch {
    return undefined
  }
}

/** Returns a result with its verdict. When the function `verdict` throws, the invocation counts as failed. */
function withVerdictOrFailure<V>(request: DispatchRequest<V>, result: InvocationResult) {
  try {
    return withVerdict(request, result)
  } catch (error) {
    const why = `its result has no verdict: ${error instanceof Error ? error.message : String(error)}`
    return withVerdict(request, failedResult('threw', why, result.generation, result.logs))
  }
}

function withVerdict<V>({ verdict: read, describe }: DispatchRequest<V>, result: InvocationResult) {
  const { payload, value, failure, logs, generation } = result
  const verdict = read(payload, failure, value)
  return { payload, failure, logs, generation, verdict, described: describe(verdict) }
}

/** Returns the result of an invocation whose payload is not a string. */
function withoutText({ payload, generation, logs }: InvocationResult): InvocationResult {
  return failedResult('crash', `its payload is ${typeof payload}, expected text`, generation, logs)
}

/**
 * Calls a function, in its dialect if it has one. If the dialect throws an error, the invocation fails, because users
 * can write dialects.
 */
async function call<V>(
  request: DispatchRequest<V>,
  { invoker, execute, dialect }: Called,
  text: string,
  { requestId, traceparent }: { readonly requestId: string; readonly traceparent: string },
): Promise<InvocationResult> {
  const { functionName, event, verbatim, client, timeLimit } = request
  const one = { requestId, client, ...(timeLimit !== undefined && { timeLimit }) }
  const starts = execute !== undefined && request.isPartOfExecution !== true
  const invoke = starts ? (one: Call) => execute(one, request.execution) : invoker.invoke
  let result: InvocationResult | undefined
  try {
    const context = dialect?.context?.({ functionName, requestId })
    if (verbatim)
      return await invoke({
        ...{ ...one, event: text, takesTrace: true },
        context: { ...context, ...request.context, traceparent },
      })
    if (dialect === undefined) {
      const value = request.handsOverEvent === true ? event : undefined
      const takesValue = request.takesValue === true
      return await invoke({ ...one, event: text, value, takesValue, context: { traceparent } })
    }
    const spoken = translateEvent(dialect, event)
    result = await invoke({ ...one, event: spoken, context: { ...context, traceparent } })
    if (result.failure !== undefined || (starts && request.execution !== undefined)) return result
    return { ...result, payload: translatePayload(dialect, result.payload, event) }
  } catch (error) {
    const why = `its dialect failed: ${error instanceof Error ? error.message : String(error)}`
    return failedResult('threw', why, result?.generation ?? 1, result?.logs)
  }
}
