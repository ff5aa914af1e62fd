import type { Clock } from '@signalbox/core'
import { inDevelopment } from '@signalbox/core/base'
import { debuggedClock } from './inspector/debugged-clock.ts'
import { functionInspector } from './inspector/function-inspector.ts'
import { type Instance, startInstance } from './instance/instance.ts'
import type { ModuleSettings } from './instance/instance-process.ts'
import { type PendingCall, taskText } from './instance/task.ts'
import type { Failure, InvocationResult, Invoker } from './invoker.ts'
import { lateOutput } from './logs/late-output.ts'
import { failedResult } from './result/failed-result.ts'
import { type WaitingEvent, waitingLimit, waitingLine } from './waiting-line.ts'

/** Settings of a function that runs in processes. */
export interface ProcessSettings extends ModuleSettings {
  /** The maximum number of instances. With `inspect`, there is only one, so that breakpoints see every event. */
  readonly instances: number
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

/**
 * Calls a function in separate processes, because only a process can always be killed. Each process runs one event at
 * a time and is killed at the deadline. More processes start on demand. When a function breaks its process, only its
 * current event fails.
 * See docs/decisions/instances-and-invocations.md#instances-are-processes.
 *
 * With `inspect`, debuggers can attach. While one is attached, no time limit applies.
 */
export function processInvoker(settings: ProcessSettings): Invoker {
  const { name, timeout, wait, inspect = false, notice = () => {} } = settings
  const most = inspect ? 1 : settings.instances
  const inspector = inspect ? functionInspector(inspectorPort) : undefined
  const clock = inspector === undefined ? settings.clock : debuggedClock(settings.clock, inspector)
  const alive = new Set<Instance>()
  const ending = new Set<Promise<void>>()
  /**
   * The idle instances. The most recently used instance gets the next event, so that surplus instances reach their
   * idle limit.
   */
  const idle: { readonly instance: Instance; readonly cancel: () => void }[] = []
  const waiting = waitingLine<Waiting>()
  const late = lateOutput(name, text => {
    if (inDevelopment()) notice(text)
  })
  const ready = new WeakSet<Instance>()
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
          ? taskText({ ...call, timeLimit: debuggedTimeout }, debuggedTimeout)
          : taskText(call, timeout)
      } catch (error) {
        return refuse(`its event cannot be sent: ${String(error)}`, 'threw')
      }
      if (leaves !== undefined) refuseWaiting(leaves, isFull)
      return new Promise(resolve => {
        const free = waiting.length() === 0 ? idle.pop() : undefined
        if (free !== undefined) {
          free.cancel()
          free.instance.run({ call, text, resolve })
          return
        }
        waiting.add(waitingEntry({ call, text, resolve }))
        assign()
      })
    },
    load,
    reload() {
      generation++
      for (const { instance } of [...idle]) instance.end()
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
    while (waiting.length() > 0 && idle.length > 0) {
      const { instance, cancel } = idle.pop()!
      cancel()
      runNext(instance)
    }
    while (!stopped && waiting.length() > starting && current() < most) start()
  }

  function runNext(instance: Instance): void {
    const next = waiting.next()!
    next.cancel()
    if (instance !== fresh) instance.run(next)
    else {
      fresh = undefined
      instance.run({ ...next, resolve: result => next.resolve({ ...result, coldStart: true }) })
    }
  }

  function waitingEntry({ call, text, resolve }: PendingCall): Waiting {
    const late = () => {
      // An instance is starting for this event. The start has its own time limit.
      if (waiting.isAmongNext(entry, starting)) entry.cancel = clock.after(wait, late)
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

  // Does not count the instances of older generations, which only finish their work.
  function current(): number {
    let count = 0
    for (const instance of alive) if (instance.generation === generation) count++
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
      idle: onIdle,
      lost: onLost,
      notice,
      late,
    })
    alive.add(instance)
    ending.add(instance.gone)
    void instance.gone.then(() => ending.delete(instance.gone))
  }

  function onIdle(instance: Instance): void {
    if (!ready.has(instance)) {
      ready.add(instance)
      starting--
      fresh = instance
    }
    if (instance.generation !== generation || stopped) {
      instance.end()
      return
    }
    idle.push({ instance, cancel: clock.after(idleLimit, instance.end) })
    const isOnlyChecked = loading.length > 0 && waiting.length() === 0 && !inspect
    answerLoading(undefined)
    // An idle instance for each function would take memory that a platform with many functions may not have.
    if (isOnlyChecked) instance.end()
    assign()
    fresh = undefined
  }

  function onLost(instance: Instance, unready: InvocationResult | undefined): void {
    alive.delete(instance)
    const at = idle.findIndex(each => each.instance === instance)
    if (at >= 0) idle.splice(at, 1)[0]!.cancel()
    if (unready !== undefined) {
      starting--
      // An instance starts for one event. If it cannot start, that event fails, unless the code was reloaded in the
      // meantime.
      const first = instance.generation === generation ? waiting.next() : undefined
      first?.cancel()
      first?.resolve(unready)
      if (instance.generation === generation) answerLoading(unready)
    } else if (at < 0 && !stopped && instance.generation === generation && current() < most) start()
    assign()
  }
}
