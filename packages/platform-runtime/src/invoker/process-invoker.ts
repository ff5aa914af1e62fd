import type { Clock } from '@signalbox/core'
import { inDevelopment } from '@signalbox/core/base'
import { debuggedClock } from './inspector/debugged-clock.ts'
import { functionInspector } from './inspector/function-inspector.ts'
import type { FunctionProgram } from './instance/function-process.ts'
import { grantedTo, type Instance, type PendingCall, startInstance } from './instance/instance.ts'
import type { Failure, InvocationResult, Invoker } from './invoker.ts'
import { lateOutput } from './logs/late-output.ts'
import { failedResult } from './result/failed-result.ts'
import { type WaitingEvent, waitingLimit, waitingLine } from './waiting-line.ts'

/** Settings of a function that runs in processes. */
export interface ProcessSettings {
  readonly name: string
  readonly program: FunctionProgram
  /** Milliseconds that one event may take. */
  readonly timeout: number
  /** The maximum memory of one instance in MB. */
  readonly memory: number
  /** Whether debuggers can attach. In this case there is only one instance, so that breakpoints see every event. */
  readonly inspect?: boolean
  /** The maximum number of instances. */
  readonly instances: number
  /** The maximum number of events that one instance runs at the same time. */
  readonly concurrency: number
  /** `isolated`: an instance gets events of one tenant only. */
  readonly tenancy: 'shared' | 'isolated'
  /** Milliseconds that an event waits for a free instance before it fails. */
  readonly wait: number
  readonly clock: Clock
  /** Called with a sentence about an error that belongs to no running invocation. */
  readonly notice?: (text: string) => void
}

/** Milliseconds after which an idle instance ends. */
export const idleLimit = 5 * 60_000

/** The milliseconds that a function is told it has while a debugger is attached: a day. */
const debuggedTimeout = 24 * 60 * 60_000

interface Waiting extends PendingCall, WaitingEvent {
  cancel: () => void
}

/** A place of an instance for one event. */
interface Place {
  readonly instance: Instance
  readonly cancel: () => void
}

/**
 * Calls a function in separate processes, because only a process can always be killed. Each process runs one event at
 * a time, or as many as `concurrency` says, and is killed at the deadline. More processes start on demand. When a function
 * breaks its process, only the events of that process fail.
 * See docs/decisions/instances-and-invocations.md#instances-are-processes.
 *
 * With `inspect`, debuggers can attach. While one is attached, no time limit applies.
 */
export function processInvoker(settings: ProcessSettings): Invoker {
  const { name, program, timeout, wait, concurrency, inspect = false, notice = () => {} } = settings
  const isIsolated = settings.tenancy === 'isolated'
  const most = inspect ? 1 : settings.instances
  const inspector = inspect ? functionInspector(inspectorPort) : undefined
  const clock = inspector === undefined ? settings.clock : debuggedClock(settings.clock, inspector)
  const alive = new Set<Instance>()
  const ending = new Set<Promise<void>>()
  /**
   * The free places. The most recently used one gets the next event, so that surplus instances reach their idle limit.
   */
  let free: readonly Place[] = []
  const waiting = waitingLine<Waiting>()
  const late = lateOutput(name, text => {
    if (inDevelopment()) notice(text)
  })
  const ready = new WeakSet<Instance>()
  /** The instances that take no more events. */
  const draining = new WeakSet<Instance>()
  /** The tenants of instances that serve one tenant only. */
  const tenants = new WeakMap<Instance, unknown>()
  /** The requests to load the current generation that are not answered yet. */
  const loading: ((failed: InvocationResult | undefined) => void)[] = []
  const isFull = `${waitingLimit} events already wait for ${name}`
  /** The instance that has just started. Its first event, if one waited for it, has a cold start. */
  let fresh: Instance | undefined
  let starting = 0
  let started = 0
  let generation = 1
  let stopped = false

  return {
    invoke(call) {
      if (stopped) return refuse(`${name} is stopping`)
      const leaves = waiting.length() < waitingLimit ? undefined : waiting.leaves(call.client)
      if (leaves === undefined && waiting.length() >= waitingLimit) return refuse(isFull)
      let text: string
      try {
        text = inspector?.isAttached()
          ? program.prepare(call, debuggedTimeout)
          : program.prepare(call, grantedTo(call, timeout))
      } catch (error) {
        return refuse(`its event cannot be sent: ${String(error)}`, 'threw')
      }
      if (leaves !== undefined) refuseWaiting(leaves, isFull)
      return new Promise(resolve => {
        waiting.add(waitingEntry({ call, text, resolve }))
        assign()
      })
    },
    load,
    reload() {
      generation++
      retireOlder()
      assign()
      if (loading.length > 0 && current() === 0) start()
    },
    async stop() {
      stopped = true
      inspector?.stop()
      answerLoading(undefined)
      for (const each of waiting.clear()) {
        each.cancel()
        each.resolve(failedResult('unavailable', `${name} is stopping`, generation))
      }
      for (const instance of alive) instance.end()
      await Promise.all(ending)
    },
    instances: () => alive.size,
    started: () => started,
    inspector,
  }

  function load(): Promise<InvocationResult | undefined> {
    return new Promise(resolve => {
      if (stopped || loaded() !== undefined) return resolve(undefined)
      loading.push(resolve)
      if (current() === 0) start()
    })
  }

  /** Returns the port of the inspector of the instance that runs the current code. Starts one if there is none. */
  async function inspectorPort(): Promise<number> {
    const failed = await load()
    const port = loaded()?.inspectorPort()
    if (port !== undefined) return port
    throw new Error(failed?.failure?.message ?? `${name} has no instance with an inspector.`)
  }

  async function refuse(why: string, kind: Failure['kind'] = 'unavailable'): Promise<InvocationResult> {
    return failedResult(kind, why, generation)
  }

  function assign(): void {
    for (const place of [...free].reverse()) {
      if (waiting.length() === 0) break
      if (!free.includes(place)) continue
      const next = waiting.next(isIsolated ? event => serves(place.instance, event) : undefined)
      if (next !== undefined) run(next, place)
    }
    while (!stopped && waiting.length() > starting * concurrency && makeRoom()) start()
  }

  /** Returns whether an instance may get an event, because it has had events of the same tenant only. */
  function serves(instance: Instance, { call }: Waiting): boolean {
    return !tenants.has(instance) || tenants.get(instance) === call.context?.tenantId
  }

  /** Returns whether another instance may start. For that, an idle instance of another tenant ends. */
  function makeRoom(): boolean {
    if (current() < most) return true
    if (isIsolated) free.find(({ instance }) => tenants.has(instance) && !instance.isBusy())?.instance.end()
    return current() < most
  }

  function run(next: Waiting, { instance, cancel }: Place): void {
    free = free.filter(place => place.cancel !== cancel)
    cancel()
    next.cancel()
    if (isIsolated) tenants.set(instance, next.call.context?.tenantId)
    if (instance !== fresh) instance.run(next)
    else {
      fresh = undefined
      instance.run({ ...next, resolve: result => next.resolve({ ...result, coldStart: true }) })
    }
  }

  function waitingEntry({ call, text, resolve }: PendingCall): Waiting {
    const late = () => {
      // An instance is starting for this event. The start has its own time limit.
      if (waiting.isAmongNext(entry, starting * concurrency)) entry.cancel = clock.after(wait, late)
      else refuseWaiting(entry, `no instance of ${name} was free within ${wait} ms`)
    }
    const entry: Waiting = { call, client: call.client, text, resolve, cancel: clock.after(wait, late) }
    return entry
  }

  function refuseWaiting(entry: Waiting, why: string): void {
    entry.cancel()
    waiting.remove(entry)
    entry.resolve(failedResult('unavailable', why, generation))
  }

  // Does not count the instances of older generations and other draining ones, which only finish their work.
  function current(): number {
    let count = 0
    for (const instance of alive) if (instance.generation === generation && !draining.has(instance)) count++
    return count
  }

  /** Returns an instance that has loaded the current code. */
  function loaded(): Instance | undefined {
    for (const instance of alive)
      if (instance.generation === generation && ready.has(instance)) return instance
    return undefined
  }

  function answerLoading(failed: InvocationResult | undefined): void {
    for (const resolve of loading.splice(0)) resolve(failed)
  }

  function start(): void {
    starting++
    started++
    const instance = startInstance(settings, generation, clock, {
      free: onFree,
      draining: onDraining,
      lost: onLost,
      notice,
      late,
    })
    alive.add(instance)
    ending.add(instance.gone)
    void instance.gone.then(() => ending.delete(instance.gone))
  }

  function onFree(instance: Instance): void {
    if (!ready.has(instance)) {
      ready.add(instance)
      starting--
      fresh = instance
    }
    free = [...free, { instance, cancel: clock.after(idleLimit, () => endIdle(instance)) }]
    if (instance.generation !== generation || stopped) {
      retireOlder()
      return
    }
    const isOnlyChecked = loading.length > 0 && waiting.length() === 0 && !inspect
    answerLoading(undefined)
    // An idle instance for each function would take memory that a platform with many functions may not have.
    if (isOnlyChecked) instance.end()
    assign()
    fresh = undefined
  }

  function endIdle(instance: Instance): void {
    if (!instance.isBusy()) instance.end()
  }

  /** Ends the instances of older generations, each after the events that it runs. */
  function retireOlder(): void {
    const older = free.filter(({ instance }) => instance.generation !== generation || stopped)
    for (const { instance } of older) forget(instance)
    for (const { instance } of older) endIdle(instance)
  }

  /** Removes the free places of an instance. */
  function forget(instance: Instance): void {
    for (const place of free) if (place.instance === instance) place.cancel()
    free = free.filter(place => place.instance !== instance)
  }

  function onDraining(instance: Instance): void {
    draining.add(instance)
    forget(instance)
    if (!stopped && instance.generation === generation && current() < most) start()
  }

  function onLost(instance: Instance, unready: InvocationResult | undefined, wasBusy: boolean): void {
    alive.delete(instance)
    forget(instance)
    if (unready !== undefined) {
      starting--
      // An instance starts for one event. If it cannot start, that event fails, unless the code was reloaded in the
      // meantime.
      const first = instance.generation === generation ? waiting.next() : undefined
      first?.cancel()
      first?.resolve(unready)
      if (instance.generation === generation) answerLoading(unready)
    } else if (wasBusy && !draining.has(instance) && !stopped && instance.generation === generation)
      if (current() < most) start()
    assign()
  }
}
