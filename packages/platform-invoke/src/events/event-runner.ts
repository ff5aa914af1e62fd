import { failurePayload, type OpenContext } from '@signalbox/platform-runtime'
import type { EventSettings } from '../config/invoke-part.ts'
import { type EventFailure, type EventStore, longestDelay, type TakenEvent } from '../store/event-store.ts'
import { type FailedEvent, failureDocuments } from './failure-document.ts'

/** Runs the events of one function. */
export interface EventRunner {
  /** Looks for due events. Must be called after an event has been added. */
  readonly wake: () => void
  /** Stops starting events. Resolves when no event is running, or after `grace` milliseconds. */
  readonly stop: (grace: number) => Promise<void>
}

/** Milliseconds to wait after the first failed attempt. The wait after the second one is twice as long. */
const firstRetry = 60_000

/**
 * Milliseconds to wait after a function could not be called. Each further wait is twice as long, up to
 * `longestDelay`.
 */
const firstPause = 1000

/** Milliseconds for which an event stays reserved after the latest possible end of its attempt. */
const leaseMargin = 60_000

/**
 * Runs the events of one function as AWS Lambda does: an event that fails runs again after one minute, and once more
 * after two minutes; an event whose function cannot be called waits without using up an attempt. Events that will not
 * be retried go to a queue, if one is set. An event that is running when the platform ends runs again at the next
 * start, if attempts are left.
 */
export function eventRunner(
  settings: EventSettings & Pick<FailedEvent, 'location'>,
  store: EventStore,
  {
    dispatch,
    clock,
    machineClock,
    services,
    notice,
  }: Pick<OpenContext, 'dispatch' | 'clock' | 'machineClock' | 'services' | 'notice'>,
): EventRunner {
  const { functionName, concurrency, attemptTime, retries, maximumAge, onFailure, location } = settings
  const running = new Set<Promise<void>>()
  let stopped = false
  let isClosed = false
  let isTaking = false
  let isWoken = false
  let cancelTimer = () => {}

  const wake = (): void => {
    isWoken = true
    if (isTaking || stopped) return
    isTaking = true
    void takeAll()
      .catch(error => {
        report('cannot be taken', error)
        wakeIn(firstPause)
      })
      .finally(() => {
        isTaking = false
        // An event may have been added after the last query.
        if (isWoken) wake()
      })
  }

  async function takeAll(): Promise<void> {
    while (isWoken && !stopped) {
      isWoken = false
      cancelTimer()
      const free = concurrency - running.size
      if (free === 0) return
      const taken = await store.take(functionName, { max: free, lease: attemptTime + leaseMargin })
      for (const event of taken) track(event)
      const next = taken.length < free ? await store.nextIn(functionName) : undefined
      if (next !== undefined) wakeIn(next)
    }
  }

  function wakeIn(ms: number): void {
    if (stopped) return
    cancelTimer()
    cancelTimer = clock.after(ms, wake)
  }

  function track(event: TakenEvent): void {
    const work = run(event)
      .catch(error => report(`${event.id} stays as it was`, error))
      .finally(() => {
        running.delete(work)
        wake()
      })
    running.add(work)
  }

  async function run(event: TakenEvent): Promise<void> {
    const { attempts, refusals } = event
    if (event.failure !== undefined) return giveUp(event, event.failure)
    const untried = { ...event, attempts: attempts - 1 }
    if (event.age > maximumAge) return giveUp(untried, { condition: 'EventAgeExceeded', payload: undefined })
    // The platform ended during the last attempt.
    if (attempts > retries + 1) return giveUp(untried, { condition: 'RetriesExhausted', payload: undefined })
    const { failure, payload } = await dispatch({
      functionName,
      event: undefined,
      text: event.payload,
      verbatim: true,
      context:
        event.clientContext === undefined ? undefined : { clientContext: JSON.parse(event.clientContext) },
      family: undefined,
      source: 'invoke',
      attempt: attempts,
      requestId: event.id,
      verdict: () => undefined,
      describe: () => undefined,
    })
    if (isClosed) return
    if (failure === undefined) return void (await store.remove(event))
    const uncounted = { attempts: attempts - 1, failure: undefined }
    // The attempt may have failed because the platform is stopping. It is repeated after the next start.
    if (stopped) return void (await store.giveBack(event, { ...uncounted, refusals, delay: 0 }))
    if (failure.kind === 'unavailable') {
      const delay = Math.min(longestDelay, firstPause * 2 ** refusals)
      return void (await store.giveBack(event, { ...uncounted, refusals: refusals + 1, delay }))
    }
    if (attempts > retries) {
      const call = { requestId: event.id, now: Math.floor(clock.wall(clock.now())) }
      const described = failurePayload(failure, payload, call)
      return giveUp(event, { condition: 'RetriesExhausted', payload: described })
    }
    await store.giveBack(event, { attempts, refusals: 0, failure: undefined, delay: firstRetry * attempts })
  }

  async function giveUp(event: TakenEvent, failure: EventFailure): Promise<void> {
    const { id, attempts, refusals } = event
    const why = failure.condition === 'RetriesExhausted' ? `failed ${attempts} times` : 'became too old'
    if (onFailure === undefined) {
      if (await store.remove(event)) notice(`Event ${id} of ${functionName} ${why}, and is dropped.`)
      return
    }
    try {
      await sendToQueue(onFailure, failureDocuments({ event, failure, location, now: clock.wall() }))
    } catch (error) {
      report(`${id} cannot go to the queue ${onFailure}`, error)
      await store.giveBack(event, { attempts, refusals, failure, delay: firstRetry })
      return
    }
    await store.remove(event)
  }

  /** Sends the first document that the queue accepts. */
  async function sendToQueue(queue: string, documents: readonly string[]): Promise<void> {
    let refused: unknown
    for (const body of documents) {
      try {
        return await services.queues!.send(queue, body)
      } catch (error) {
        refused ??= error
      }
    }
    throw refused
  }

  function report(what: string, error: unknown): void {
    notice(`Events of ${functionName}: ${what}: ${error instanceof Error ? error.message : String(error)}`)
  }

  return {
    wake,
    async stop(grace) {
      stopped = true
      cancelTimer()
      let cancel = () => {}
      const passed = new Promise<void>(resolve => {
        cancel = machineClock.after(grace, resolve)
      })
      await Promise.race([Promise.all(running), passed])
      isClosed = true
      cancel()
    },
  }
}
