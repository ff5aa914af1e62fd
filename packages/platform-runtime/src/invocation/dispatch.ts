import type { Clock } from '@signalbox/core'
import { type Dialect, translateEvent, translatePayload } from '../dialect/dialect.ts'
import type { NewEntry } from '../invocation-log/entry.ts'
import { failedOutcome } from '../invoker/failed-outcome.ts'
import type { Call, Failure, Invoker, LogLine, Outcome } from '../invoker/invoker.ts'
import { type Random, uuidSource } from '../random.ts'
import { type UnderWay, underWay } from './under-way.ts'

/** An event on its way to a function, and how to read what comes back. */
interface Order<Verdict> {
  readonly functionName: string
  /** An event in the contract's words. It is not changed, unless it is given away. */
  readonly event: unknown
  /** The event as JSON text, from a source that has it. Default: that of `event`. */
  readonly text?: string
  /** Whether the event was made for this order alone, and is what its text says: a function may have it as it is. */
  readonly isGiven?: boolean
  /** Whether the source has seen already that nothing in the event looks like a secret. */
  readonly plain?: boolean
  readonly family: string | undefined
  /** Where the event comes from, for the journal. */
  readonly source: string
  /** Which of the platform's attempts this is. Default 1. */
  readonly attempt?: number
  /** Given again with every attempt. Made when it is not there. */
  readonly requestId?: string
  /** Milliseconds that the event's family grants at most. */
  readonly limit?: number | undefined
  /** What the source makes of the payload; `failure` says when there is none of the function's own. */
  readonly verdict: (payload: string, failure: Failure | undefined, value?: unknown) => Verdict
  /** Whether the verdict reads a long answer as a value; the payload is the beginning of it then. */
  readonly takesValue?: boolean
  /** The verdict for the journal. */
  readonly describe: (verdict: Verdict) => NewEntry['verdict']
}

/** What came of an order. */
interface Invoked<Verdict> {
  readonly requestId: string
  readonly payload: string
  readonly failure: Failure | undefined
  readonly verdict: Verdict
  readonly logs: readonly LogLine[]
  /** Milliseconds. */
  readonly duration: number
}

/** Takes an event to a function, and its payload to the source's verdict. Never rejects. */
export type Dispatch = <Verdict>(order: Order<Verdict>) => Promise<Invoked<Verdict>>

/** What runs a function, and the words in which it is spoken to. */
export interface Callee {
  readonly invoker: Invoker
  readonly dialect: Dialect | undefined
}

/**
 * The way of every invocation: event, invoker, payload, verdict, and a line in the journal.
 * @param work is told of each invocation that begins, and that ends
 */
export function dispatcher(
  callees: ReadonlyMap<string, Callee>,
  record: (entry: NewEntry) => void,
  clock: Clock,
  random: Random,
  work: Pick<UnderWay, 'begin' | 'end'> = underWay(),
): Dispatch {
  const uuid = uuidSource(random)
  return <Verdict>(order: Order<Verdict>): Promise<Invoked<Verdict>> => {
    const { functionName, event, requestId = uuid(), limit, text = JSON.stringify(event) ?? 'null' } = order
    const { invoker, dialect } = callees.get(functionName)!
    const started = clock.now()
    work.begin()
    const outcome =
      dialect === undefined
        ? invoker.invoke(
            limit === undefined
              ? {
                  event: text,
                  value: order.isGiven === true ? event : undefined,
                  requestId,
                  takesValue: order.takesValue === true,
                }
              : { event: text, requestId, limit },
          )
        : callIn(dialect, invoker, functionName, event, { requestId, ...(limit !== undefined && { limit }) })
    return outcome.then(answered => {
      try {
        const { payload, failure, logs, generation, verdict, described } = concluded(
          order,
          typeof answered.payload === 'string' ? answered : withoutText(answered),
        )
        const duration = clock.now() - started
        record({
          requestId,
          functionName,
          source: order.source,
          family: order.family,
          attempt: order.attempt ?? 1,
          generation,
          started,
          duration,
          event: text,
          plain: order.plain === true,
          payload,
          failure,
          verdict: described,
          logs,
        })
        return { requestId, payload, failure, verdict, logs, duration }
      } finally {
        work.end()
      }
    })
  }
}

/** An outcome with its verdict. What no verdict can be reached of has failed, and is concluded as that. */
function concluded<Verdict>(order: Order<Verdict>, outcome: Outcome) {
  try {
    return withVerdict(order, outcome)
  } catch (error) {
    const why = `its answer has no verdict: ${error instanceof Error ? error.message : String(error)}`
    return withVerdict(order, failedOutcome('threw', why, outcome.generation, outcome.logs))
  }
}

function withVerdict<Verdict>({ verdict: read, describe }: Order<Verdict>, outcome: Outcome) {
  const { payload, value, failure, logs, generation } = outcome
  const verdict = read(payload, failure, value)
  return { payload, failure, logs, generation, verdict, described: describe(verdict) }
}

/** The outcome of a function that got something else through to us than text. */
function withoutText({ payload, generation, logs }: Outcome): Outcome {
  return failedOutcome('crash', `its payload is ${typeof payload}, expected text`, generation, logs)
}

/**
 * Calls a function in its own words. A dialect is somebody's code, too: what it throws fails the invocation, as what the
 * function throws does.
 */
async function callIn(
  dialect: Dialect,
  invoker: Invoker,
  functionName: string,
  event: unknown,
  call: Omit<Call, 'event' | 'context'>,
): Promise<Outcome> {
  let outcome: Outcome | undefined
  try {
    const context = dialect.context?.({ functionName, requestId: call.requestId })
    const spoken = translateEvent(dialect, event)
    outcome = await invoker.invoke({ ...call, event: spoken, ...(context !== undefined && { context }) })
    if (outcome.failure !== undefined) return outcome
    return { ...outcome, payload: translatePayload(dialect, outcome.payload, event) }
  } catch (error) {
    const why = `its dialect failed: ${error instanceof Error ? error.message : String(error)}`
    return failedOutcome('threw', why, outcome?.generation ?? 1, outcome?.logs)
  }
}
