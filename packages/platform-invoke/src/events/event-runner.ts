import { failurePayload, type OpenContext } from '@signalbox/platform-runtime'
import { type Cause, fromTraceparent, runInSpan, traceIdOf } from '@signalbox/platform-runtime/traces'
import { type ClaimedWork, type Worker, type WorkQueue, worker } from '@signalbox/platform-runtime/work'
import type { EventSettings } from '../config/invoke-part.ts'
import { documentsOfEvent, type FailedEvent, sendDocument } from '../executions/failure-documents.ts'
import { contextOf, dataOf, type EventFailure, eventOf, type TakenEvent } from '../store/event-store.ts'

/** Milliseconds to wait after the first failed attempt. The wait after the second one is twice as long. */
const firstRetry = 60_000

/**
 * Milliseconds to wait after a function could not be called. Each further wait is twice as long, up to
 * `longestPause`.
 */
const firstPause = 1000

/** The longest wait for a function that cannot be called, in milliseconds. */
const longestPause = 5 * 60_000

/**
 * Runs the events of one function as AWS Lambda does: an event that fails runs again after one minute, and once more
 * after two minutes; an event whose function cannot be called waits without using up an attempt. Events that will not
 * be retried go to a queue, if one is set. An event that is running when the platform ends runs again at the next
 * start, if attempts are left.
 */
export function eventRunner(
  settings: EventSettings & Pick<FailedEvent, 'location'>,
  queue: WorkQueue,
  {
    dispatch,
    clock,
    machineClock,
    services,
    notice,
    traces,
  }: Pick<OpenContext, 'dispatch' | 'clock' | 'machineClock' | 'services' | 'notice' | 'traces'>,
): Worker {
  const { functionName, concurrency, retries, maximumAge, onFailure, location } = settings
  let stopped = false

  async function run(work: ClaimedWork): Promise<void> {
    const event = eventOf(work)
    const { attempts, refusals } = event
    const age = clock.now() - work.putAt
    const untried = { ...event, attempts: attempts - 1 }
    if (event.failure !== undefined) return giveUp(work, event, event.failure)
    if (age > maximumAge) return giveUp(work, untried, { condition: 'EventAgeExceeded', payload: undefined })
    // The platform ended during the last attempt.
    if (attempts > retries + 1)
      return giveUp(work, untried, { condition: 'RetriesExhausted', payload: undefined })
    const { failure, payload } = await dispatch({
      functionName,
      cause: causeOf(work, event),
      event: undefined,
      text: event.payload,
      verbatim: true,
      context: contextOf(event),
      family: undefined,
      source: 'invoke',
      attempt: attempts,
      requestId: event.id,
      verdict: () => undefined,
      describe: () => undefined,
    })
    if (failure === undefined) return void (await queue.finish(work, clock.now()))
    // The attempt may have failed because the platform is stopping. It is repeated after the next start.
    if (stopped) return retryAfter(0, work, untried)
    if (failure.kind === 'unavailable') {
      const delay = Math.min(longestPause, firstPause * 2 ** refusals)
      return retryAfter(delay, work, { ...untried, refusals: refusals + 1 })
    }
    if (attempts > retries) {
      const call = { requestId: event.id, now: Math.floor(clock.wall(clock.now())) }
      const described = failurePayload(failure, payload, call)
      return giveUp(work, event, { condition: 'RetriesExhausted', payload: described })
    }
    await retryAfter(firstRetry * attempts, work, { ...event, refusals: 0 })
  }

  /** Returns the span that accepted an event, or the one of its wait while spans are sent. */
  function causeOf({ putAt }: ClaimedWork, { id, trace, attempts }: TakenEvent): Cause {
    const cause = { parent: fromTraceparent(trace), traceId: traceIdOf(id) }
    if (traces === undefined) return cause
    const attributes = { 'faas.invocation.id': id, 'signalbox.attempt': attempts }
    const wait = {
      ...cause,
      name: `wait ${functionName}`,
      kind: 'internal',
      startedAt: clock.wall(putAt),
      attributes,
    } as const
    return { parent: traces.record(wait) }
  }

  async function retryAfter(delay: number, work: ClaimedWork, event: TakenEvent): Promise<void> {
    const now = clock.now()
    await queue.retry(work, dataOf(event), now + delay, now)
  }

  async function giveUp(work: ClaimedWork, event: TakenEvent, failure: EventFailure): Promise<void> {
    const { id, attempts } = event
    const why = failure.condition === 'RetriesExhausted' ? `failed ${attempts} times` : 'became too old'
    if (onFailure === undefined) {
      if (await queue.finish(work, clock.now()))
        notice(`Event ${id} of ${functionName} ${why}, and is dropped.`)
      return
    }
    try {
      const documents = documentsOfEvent({ event, failure, location, now: clock.wall() })
      const parent = fromTraceparent(event.trace)
      await (parent === undefined
        ? sendDocument(services.queues!, onFailure, documents)
        : runInSpan(parent, () => sendDocument(services.queues!, onFailure, documents)))
    } catch (error) {
      report(`${id} cannot go to the queue ${onFailure}`, error)
      return retryAfter(firstRetry, work, { ...event, failure })
    }
    await queue.finish(work, clock.now())
  }

  function report(what: string, error: unknown): void {
    notice(`Events of ${functionName}: ${what}: ${error instanceof Error ? error.message : String(error)}`)
  }

  const { wake, stop } = worker<ClaimedWork>(
    {
      concurrency,
      claim: (now, limit) => queue.claim(functionName, now, limit),
      run,
      giveBack: queue.giveBack,
      unclaim: queue.unclaim,
      failed: error => report('an event waits', error),
    },
    { clock, machineClock },
  )
  return {
    wake,
    stop(grace) {
      stopped = true
      return stop(grace)
    },
  }
}
