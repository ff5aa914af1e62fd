import type { Clock } from '@signalbox/core'
import { maskText } from '../../masking/mask.ts'
import type { Call, Failure, InvocationResult } from '../invoker.ts'
import type { LateOutput } from '../logs/late-output.ts'
import { logCollector } from '../logs/log-collector.ts'
import { failedResult } from '../result/failed-result.ts'
import type { Frame } from './frame.ts'
import { frameResult } from './frame-result.ts'
import { type ModuleSettings, type ProcessEnd, startProcess } from './instance-process.ts'
import { grantedTo, type PendingCall } from './task.ts'

/** A process that runs a function, one event at a time. */
export interface Instance {
  readonly generation: number
  /** Runs a call. The instance must be idle. */
  readonly run: (pending: PendingCall) => void
  /** Ends the instance. A running call fails. */
  readonly end: () => void
  /** Returns the port of the inspector, once the function is loaded. Undefined for an instance without one. */
  readonly inspectorPort: () => number | undefined
  /** Resolves when the process of the instance has ended. */
  readonly gone: Promise<void>
}

export interface InstanceEvents {
  readonly idle: (instance: Instance) => void
  /**
   * Called when the instance accepts no more calls. If it was never idle, `unready` is the result for the event that
   * was waiting for the instance.
   */
  readonly lost: (instance: Instance, unready: InvocationResult | undefined) => void
  /** Called with a sentence about an error that belongs to no running invocation. */
  readonly notice: (text: string) => void
  /** Keeps the output after an answer until another event of the function has ended. */
  readonly late: LateOutput
}

/** Milliseconds that a module may take to load. */
const loadLimit = 10_000

/** The highest number of a task. The task after it gets the number 1 again. */
const lastTask = 0xffff_ffff

/** Starts an instance, which becomes idle when its function is loaded. */
export function startInstance(
  settings: ModuleSettings,
  generation: number,
  clock: Clock,
  events: InstanceEvents,
): Instance {
  const { name, timeout, memory } = settings
  /**
   * The state is `done` until everything that arrived with the last result has been read, because the bytes after the
   * result may show that the channel is broken.
   */
  let state: 'starting' | 'done' | 'idle' | 'busy' | 'lost' = 'starting'
  /** The running call. */
  let current: PendingCall | undefined
  /** The number of the running task, or of the task that ran last. It is 0 while the function is loaded. */
  let running = 0
  /** The call that was answered last. Its task has the number `running` until the next one begins. */
  let answered: { readonly number: number; readonly call: Call } | undefined
  let logs = logCollector()
  let uncaught: string | undefined
  let hasBeenIdle = false
  let inspectorPort: number | undefined
  /** Whether the instance takes no more events after the one that it has. */
  let isRetiring = false

  let cancel = clock.after(loadLimit, () => lose('timeout', `${name} took more than ${loadLimit} ms to load`))
  const { send, forgetOutput, kill, gone } = startProcess(settings, {
    frame: hear,
    read(isWhole) {
      if (state !== 'done') return
      if (!isWhole) return lose('crash', channelBroken('it sent more after its result'))
      rest()
    },
    broken: why => lose('crash', channelBroken(why)),
    closed() {
      // During a call, the exit of the process explains the failure better than the closed channel does.
      if (state === 'idle') lose('crash', channelBroken('it is closed'))
    },
    missing: why => lose('crash', `${name} has no process: ${why}`),
    ended(end) {
      if (end.written !== '') logs.add('err', end.written)
      if (state === 'starting' && uncaught !== undefined)
        lose('unloadable', `The module cannot be loaded. ${uncaught}`)
      else lose('crash', died(end))
    },
  })

  const instance: Instance = {
    generation,
    run(pending) {
      current = pending
      running = running === lastTask ? 1 : running + 1
      state = 'busy'
      const granted = grantedTo(pending.call, timeout)
      forgetOutput()
      cancel = clock.after(granted, () => lose('timeout', `${name} timed out after ${granted} ms`))
      send(running, pending.text)
    },
    end: () => lose('crash', `${name} was stopped`),
    inspectorPort: () => inspectorPort,
    gone,
  }
  return instance

  function rest(): void {
    if (isRetiring) {
      lose('crash', `${name} was stopped`)
      return
    }
    state = 'idle'
    hasBeenIdle = true
    events.idle(instance)
  }

  // The function can write to the channel, too, so any frame can arrive at any time.
  function hear(frame: Frame): void {
    const { kind, task: about, text } = frame
    if (state === 'lost') return
    const isLoading = state === 'starting' && about === 0
    const isRunning = state === 'busy' && about === running
    switch (kind) {
      case 'out':
      case 'err':
        if (isLoading || isRunning) logs.add(kind, text)
        // Output after the answer comes too late for the entry of its event in the invocation log.
        else if (about === 0 || about === answered?.number) events.late.add(answeredIn(about), kind, text)
        return
      case 'uncaught':
        if (isLoading) uncaught = text
        else if (isRunning) lose('crash', `${name} ended by an uncaught error: ${text}`)
        else retire(text)
        return
      case 'ready':
        if (!isLoading) break
        cancel()
        if (text !== '') inspectorPort = Number(text)
        state = 'done'
        return
      case 'unloadable':
        if (!isLoading) break
        lose('unloadable', text)
        return
      // A result for another event is ignored, so that it does not fail the running event.
      case 'result':
      case 'long-text':
      case 'failed': {
        if (!isRunning) return
        const result = resultOf(frame, current!.call)
        if (result === undefined) break
        complete(result)
        return
      }
    }
    lose('crash', channelBroken(`it sent an unexpected frame of the kind '${kind}'`))
  }

  function resultOf(frame: Frame, call: Call): InvocationResult | undefined {
    const result = frameResult(frame, call)
    return result && { ...result, logs: logs.lines, generation }
  }

  /** Replaces the instance after the events that it has, because code of an earlier event failed. */
  function retire(why: string): void {
    if (isRetiring) return
    isRetiring = true
    const error = maskText(why).text
    events.notice(
      `An uncaught error in ${name} belongs to no running invocation. Its instance is replaced. ${error}`,
    )
    if (state === 'idle') lose('crash', `${name} was stopped`)
  }

  function complete(result: InvocationResult): void {
    const { call, resolve } = current!
    current = undefined
    answered = { number: running, call }
    const late = events.late.take()
    logs = logCollector()
    cancel()
    state = 'done'
    resolve(late.length === 0 ? result : { ...result, logs: [...result.logs, ...late] })
  }

  /** Returns the call that was answered last, unless output is about no event. */
  function answeredIn(about: number): Call | undefined {
    return about === 0 ? undefined : answered?.call
  }

  function lose(kind: Failure['kind'], message: string): void {
    if (state === 'lost') return
    const result = failedResult(kind, message, generation, logs.lines)
    state = 'lost'
    cancel()
    kill()
    current?.resolve(result)
    current = undefined
    events.lost(instance, hasBeenIdle ? undefined : result)
  }

  function channelBroken(why: string): string {
    return `${name} broke its channel to the platform: ${why}`
  }

  function died({ code, signal, isOutOfMemory }: ProcessEnd): string {
    if (isOutOfMemory) return `${name} ran out of memory: ${memory} MB`
    return signal === null ? `${name} exited with code ${code}` : `${name} was killed by ${signal}`
  }
}
