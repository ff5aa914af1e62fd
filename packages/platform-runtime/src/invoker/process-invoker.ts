import type { Clock } from '@signalbox/core'
import { type Instance, startInstance } from './instance/instance.ts'
import type { ModuleSettings } from './instance/instance-process.ts'
import type { PendingCall } from './instance/task.ts'
import type { Call, InvocationResult, Invoker } from './invoker.ts'
import { failedResult } from './result/failed-result.ts'

/** Settings of a function that runs in processes. */
export interface ProcessSettings extends ModuleSettings {
  /** The maximum number of instances. */
  readonly instances: number
  /** Milliseconds that an event waits for a free instance before it fails. */
  readonly wait: number
  readonly clock: Clock
  /** Called with a sentence about an error that belongs to no running invocation. */
  readonly notice?: (text: string) => void
}

/** The maximum number of events that wait for an instance of one function. */
const waitingLimit = 1000

/** Milliseconds after which an idle instance ends. */
export const idleLimit = 5 * 60_000

interface Waiting extends PendingCall {
  readonly cancel: () => void
}

/**
 * Calls a function in separate processes, because only a process can always be killed. Each process runs one event at
 * a time and is killed at the deadline. More processes start on demand. When all have started and are busy, those whose
 * events are short get further events ahead of time. When a function breaks its process, only its current event fails.
 * See docs/decisions/instances-are-processes.md.
 */
export function processInvoker(settings: ProcessSettings): Invoker {
  const { name, instances: most, wait, clock, notice = () => {} } = settings
  const alive = new Set<Instance>()
  const ending = new Set<Promise<void>>()
  /**
   * The idle instances. The most recently used instance gets the next event, so that surplus instances reach their
   * idle limit.
   */
  const idle: { readonly instance: Instance; readonly cancel: () => void }[] = []
  const waiting: Waiting[] = []
  const ready = new WeakSet<Instance>()
  /** The requests to load the current generation that are not answered yet. */
  const loading: ((failed: InvocationResult | undefined) => void)[] = []
  let starting = 0
  let started = 0
  let generation = 1
  let stopped = false

  return {
    invoke(call) {
      if (stopped) return refuse(`${name} is stopping`)
      if (waiting.length >= waitingLimit) return refuse(`${waitingLimit} events already wait for ${name}`)
      return new Promise(resolve => {
        const free = waiting.length === 0 ? idle.pop() : undefined
        if (free !== undefined) {
          free.cancel()
          free.instance.run({ call, resolve })
          return
        }
        waiting.push(waitingEntry({ call, resolve }))
        assign()
      })
    },
    load() {
      return new Promise(resolve => {
        if (stopped || isLoaded()) return resolve(undefined)
        loading.push(resolve)
        if (current() === 0) start()
      })
    },
    reload() {
      generation++
      for (const { instance } of [...idle]) instance.end()
      assign()
      if (loading.length > 0 && current() === 0) start()
    },
    async stop() {
      stopped = true
      answerLoading(undefined)
      for (const { resolve, cancel } of waiting.splice(0)) {
        cancel()
        resolve(failedResult('unavailable', `${name} is stopping`, generation))
      }
      for (const instance of alive) instance.end()
      await Promise.all(ending)
    },
    instances: () => alive.size,
    started: () => started,
  }

  async function refuse(why: string): Promise<InvocationResult> {
    return failedResult('unavailable', why, generation)
  }

  function assign(): void {
    while (waiting.length > 0 && idle.length > 0) {
      const { instance, cancel } = idle.pop()!
      cancel()
      runNext(instance)
    }
    while (!stopped && waiting.length > starting && current() < most) start()
    while (waiting.length > starting) {
      const instance = leastLoaded(waiting[0]!.call)
      if (instance === undefined) return
      runNext(instance)
    }
  }

  function runNext(instance: Instance): void {
    const next = waiting.shift()!
    next.cancel()
    instance.run(next)
  }

  /** Returns the instance that has the fewest calls among those that accept a call ahead of time. */
  function leastLoaded(call: Call): Instance | undefined {
    let least: Instance | undefined
    let leastLoad = Number.POSITIVE_INFINITY
    for (const instance of alive) {
      if (instance.generation !== generation) continue
      const load = instance.load(call)
      if (load < leastLoad) [least, leastLoad] = [instance, load]
    }
    return least
  }

  function waitingEntry({ call, resolve }: PendingCall): Waiting {
    const cancel = clock.after(wait, () => {
      const place = waiting.indexOf(entry)
      // An instance is starting for this event. The start has its own time limit.
      if (place < starting) return
      waiting.splice(place, 1)
      resolve(failedResult('unavailable', `no instance of ${name} was free within ${wait} ms`, generation))
    })
    const entry: Waiting = { call, resolve, cancel }
    return entry
  }

  // Does not count the instances of older generations, which only finish their work.
  function current(): number {
    let count = 0
    for (const instance of alive) if (instance.generation === generation) count++
    return count
  }

  function isLoaded(): boolean {
    for (const instance of alive) if (instance.generation === generation && ready.has(instance)) return true
    return false
  }

  function answerLoading(failed: InvocationResult | undefined): void {
    for (const resolve of loading.splice(0)) resolve(failed)
  }

  function start(): void {
    starting++
    started++
    const instance = startInstance(settings, generation, clock, {
      idle: onIdle,
      progress: assign,
      returned: onReturned,
      lost: onLost,
      notice,
    })
    alive.add(instance)
    ending.add(instance.gone)
    void instance.gone.then(() => ending.delete(instance.gone))
  }

  function onIdle(instance: Instance): void {
    if (!ready.has(instance)) {
      ready.add(instance)
      starting--
    }
    if (instance.generation !== generation || stopped) {
      instance.end()
      return
    }
    idle.push({ instance, cancel: clock.after(idleLimit, instance.end) })
    const isOnlyChecked = loading.length > 0 && waiting.length === 0
    answerLoading(undefined)
    // An idle instance for each function would take memory that a platform with many functions may not have.
    if (isOnlyChecked) instance.end()
    assign()
  }

  function onReturned(calls: readonly PendingCall[]): void {
    if (stopped) {
      for (const { resolve } of calls) resolve(failedResult('unavailable', `${name} is stopping`, generation))
      return
    }
    waiting.unshift(...calls.map(waitingEntry))
    assign()
  }

  function onLost(instance: Instance, unready: InvocationResult | undefined): void {
    alive.delete(instance)
    const at = idle.findIndex(each => each.instance === instance)
    if (at >= 0) idle.splice(at, 1)[0]!.cancel()
    if (unready !== undefined) {
      starting--
      // An instance starts for one event. If it cannot start, that event fails, unless the code was reloaded in the
      // meantime.
      const first = instance.generation === generation ? waiting.shift() : undefined
      first?.cancel()
      first?.resolve(unready)
      if (instance.generation === generation) answerLoading(unready)
    } else if (at < 0 && !stopped && instance.generation === generation && current() < most) start()
    assign()
  }
}
