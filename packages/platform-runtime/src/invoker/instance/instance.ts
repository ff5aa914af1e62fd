import type { Clock } from '@signalbox/core'
import { maskText } from '@signalbox/telemetry/masking'
import type { Call, Failure, InvocationResult } from '../invoker.ts'
import type { LateOutput } from '../logs/late-output.ts'
import { type LogCollector, logCollector } from '../logs/log-collector.ts'
import { failedResult } from '../result/failed-result.ts'
import type { EndReason, FunctionProcess, FunctionProgram, ProcessEnd } from './function-process.ts'

/** A call, and the function that gets its result. */
export interface PendingCall {
  readonly call: Call
  /** The call as it is sent to an instance, from `FunctionProgram.prepare`. */
  readonly text: string
  readonly resolve: (result: InvocationResult) => void
}

/** A process that runs a function. It has one place for an event, or several. */
export interface Instance {
  readonly generation: number
  /** Runs a call. The instance must have a free place. */
  readonly run: (pending: PendingCall) => void
  /** Returns whether events are running. */
  readonly isBusy: () => boolean
  /** Ends the instance. Running calls fail. */
  readonly end: () => void
  /** Returns the port of the inspector, once the function is loaded. Undefined for an instance without one. */
  readonly inspectorPort: () => number | undefined
  /** Resolves when the process of the instance has ended. */
  readonly gone: Promise<void>
}

export interface InstanceEvents {
  /** Called for each place, when the function is loaded and whenever the place becomes free. */
  readonly free: (instance: Instance) => void
  /** Called when the instance takes no more events, but still runs some. */
  readonly draining: (instance: Instance) => void
  /**
   * Called when the instance accepts no more calls. If it was never loaded, `unready` is the result for the event that
   * was waiting for the instance.
   */
  readonly lost: (instance: Instance, unready: InvocationResult | undefined, wasBusy: boolean) => void
  /** Called with a sentence about an error that belongs to no running invocation. */
  readonly notice: (text: string) => void
  /** Keeps the output after an answer until another event of the function has ended. */
  readonly late: LateOutput
}

export interface InstanceSettings {
  readonly name: string
  readonly program: FunctionProgram
  /** Milliseconds that one event may take. */
  readonly timeout: number
  /** The maximum memory of the instance in MB, for messages. */
  readonly memory: number
  /** The number of events that the instance may run at the same time. */
  readonly concurrency: number
}

/** An event that is not answered yet. */
interface Running {
  readonly pending: PendingCall
  readonly logs: LogCollector
  readonly cancel: () => void
}

/** Milliseconds that a function may take to load. */
const loadLimit = 10_000

/** The highest number of an event. The event after it gets the number 1 again. */
const lastNumber = 0xffff_ffff

/** Starts an instance, which has free places when its function is loaded. */
export function startInstance(
  { name, program, timeout, memory, concurrency }: InstanceSettings,
  generation: number,
  clock: Clock,
  events: InstanceEvents,
): Instance {
  let state: 'starting' | 'loaded' | 'lost' = 'starting'
  const running = new Map<number, Running>()
  /** The events that are answered or given up, and whose places are not free yet. */
  const ending = new Map<number, () => void>()
  let latest = 0
  /** The calls that were answered last, in order, as many as there are places. */
  const answered = new Map<number, Call>()
  /** The output while the function is loaded, which belongs to the first event. */
  let loadLogs: LogCollector | undefined = logCollector()
  let uncaught: string | undefined
  let inspectorPort: number | undefined
  /** Whether the instance takes no more events after those that it has. */
  let isRetiring = false

  const cancelLoad = clock.after(loadLimit, () =>
    lose('timeout', `${name} took more than ${loadLimit} ms to load`),
  )
  const process: FunctionProcess = program.start({
    ready(port) {
      if (state !== 'starting') return
      cancelLoad()
      inspectorPort = port
      state = 'loaded'
    },
    failed: why => lose(state === 'starting' ? 'unloadable' : 'crash', why),
    output(about, stream, text) {
      const logs = state === 'starting' ? loadLogs : running.get(about ?? likeliest(text))?.logs
      if (logs !== undefined) return void logs.add(stream, text)
      // Output after the answer comes too late for the entry of its event in the invocation log.
      const call = about === undefined ? [...answered.values()].at(-1) : answered.get(about)
      if (call !== undefined || !about) events.late.add(call, stream, text)
    },
    uncaught(about, text) {
      if (state === 'starting') uncaught = text
      else if (running.has(about)) lose('crash', `${name} ended by an uncaught error: ${text}`)
      else retire(text)
    },
    answered(about, result) {
      const entry = running.get(about)
      if (entry === undefined) return
      endEvent(about, entry, { ...result, logs: entry.logs.lines, generation })
      answered.set(about, entry.pending.call)
      if (answered.size > concurrency) answered.delete(answered.keys().next().value!)
    },
    free(about) {
      if (about !== undefined) {
        ending.get(about)?.()
        ending.delete(about)
      }
      if (state !== 'loaded') return
      if (!isRetiring) events.free(instance)
      else if (!isBusy()) stop()
    },
    broken: why => lose('crash', channelBroken(why)),
    closed() {
      // During a call, the exit of the process explains the failure better than the closed channel does.
      if (state === 'loaded' && !isBusy()) lose('crash', channelBroken('it is closed'))
    },
    missing: why => lose('crash', `${name} has no process: ${why}`),
    ended(end) {
      const logs = state === 'starting' ? loadLogs : [...running.values()].at(-1)?.logs
      if (end.written !== '') logs?.add('err', end.written)
      if (state === 'starting' && uncaught !== undefined)
        lose('unloadable', `The module cannot be loaded. ${uncaught}`)
      else lose('crash', died(end))
    },
  })

  const instance: Instance = {
    generation,
    run(pending) {
      latest = latest === lastNumber ? 1 : latest + 1
      const about = latest
      const granted = grantedTo(pending.call, timeout)
      const logs = loadLogs ?? logCollector()
      loadLogs = undefined
      running.set(about, { pending, logs, cancel: clock.after(granted, () => giveUp(about, granted)) })
      process.send(about, pending.call, pending.text, granted)
    },
    isBusy,
    end: stop,
    inspectorPort: () => inspectorPort,
    gone: process.gone,
  }
  return instance

  function isBusy(): boolean {
    return running.size + ending.size > 0
  }

  function stop(): void {
    lose('crash', `${name} was stopped`, 'spindown')
  }

  /** Returns the number of the event that most likely wrote a text: the one whose request id it names, or the latest. */
  function likeliest(text: string): number {
    let last = 0
    for (const [about, { pending }] of running) {
      if (running.size > 1 && text.includes(pending.call.requestId)) return about
      last = about
    }
    return last
  }

  /**
   * Ends an event whose time is over. This also ends the instance, after the other events that it has. A function that has
   * answered, and takes no other event until then, is treated alike.
   */
  function giveUp(about: number, granted: number): void {
    const why = `${name} timed out after ${granted} ms`
    const entry = running.get(about)
    if (running.size + ending.size === 1) {
      lose('timeout', why)
      return
    }
    if (entry !== undefined)
      endEvent(about, entry, failedResult('timeout', why, generation, entry.logs.lines))
    ending.delete(about)
    process.giveUp(about)
    drain()
  }

  /** Takes no more events, and ends when the running ones have ended. */
  function drain(): void {
    if (isRetiring) return
    isRetiring = true
    events.draining(instance)
    if (!isBusy()) stop()
  }

  /** Replaces the instance after the events that it has, because code of an earlier event failed. */
  function retire(why: string): void {
    if (isRetiring) return
    const error = maskText(why).text
    events.notice(
      `An uncaught error in ${name} belongs to no running invocation. Its instance is replaced. ${error}`,
    )
    drain()
  }

  /** Ends an event. Its place stays taken until the process says that it is free. */
  function endEvent(about: number, { pending, cancel }: Running, result: InvocationResult): void {
    running.delete(about)
    ending.set(about, cancel)
    const late = events.late.take()
    pending.resolve(late.length === 0 ? result : { ...result, logs: [...result.logs, ...late] })
  }

  function lose(
    kind: Failure['kind'],
    message: string,
    reason: EndReason = kind === 'timeout' ? 'timeout' : 'failure',
  ): void {
    if (state === 'lost') return
    const wasBusy = isBusy()
    const unready =
      state === 'starting' ? failedResult(kind, message, generation, loadLogs!.lines) : undefined
    state = 'lost'
    cancelLoad()
    process.kill(reason)
    for (const { pending, logs, cancel } of running.values()) {
      cancel()
      pending.resolve(failedResult(kind, message, generation, logs.lines))
    }
    for (const cancel of ending.values()) cancel()
    running.clear()
    ending.clear()
    events.lost(instance, unready, wasBusy)
  }

  function channelBroken(why: string): string {
    return `${name} broke its channel to the platform: ${why}`
  }

  function died({ code, signal, isOutOfMemory }: ProcessEnd): string {
    if (isOutOfMemory) return `${name} ran out of memory: ${memory} MB`
    return signal === null ? `${name} exited with code ${code}` : `${name} was killed by ${signal}`
  }
}

/** Returns the milliseconds that a call may take. */
export function grantedTo({ timeLimit }: Pick<Call, 'timeLimit'>, timeout: number): number {
  return timeLimit === undefined ? timeout : Math.min(timeout, timeLimit)
}
