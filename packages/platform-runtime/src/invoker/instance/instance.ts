import type { Clock } from '@signalbox/core'
import { maskText } from '../../invocation-log/masking/mask.ts'
import type { Call, Failure, InvocationResult } from '../invoker.ts'
import { logCollector } from '../logs/log-collector.ts'
import { failedResult } from '../result/failed-result.ts'
import { type Frame, lastTask } from './frame.ts'
import type { TaskHead } from './instance-message.ts'
import { type ModuleSettings, type ProcessEnd, startProcess } from './instance-process.ts'

/** A process that runs a function, one event at a time. */
export interface Instance {
  readonly generation: number
  /** Runs a call. The instance must be idle. Always resolves. */
  readonly call: (call: Call) => Promise<InvocationResult>
  /** Ends the instance. A running call fails. */
  readonly end: () => void
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
}

/** Milliseconds that a module may take to load. */
const loadLimit = 10_000

/** Starts an instance, which becomes idle when its function is loaded. */
export function startInstance(
  settings: ModuleSettings,
  generation: number,
  clock: Clock,
  events: InstanceEvents,
): Instance {
  const { name, timeout, memory } = settings
  /**
   * The state is `done` until everything that arrived with the result has been read, because the bytes after the
   * result may show that the channel is broken.
   */
  let state: 'starting' | 'done' | 'idle' | 'busy' | 'lost' = 'starting'
  /** The number of the running task or of the last task, or 0 while the function is loaded. */
  let task = 0
  let logs = logCollector()
  let resolveCall: ((result: InvocationResult) => void) | undefined
  let uncaught: string | undefined
  let hasBeenIdle = false
  /** Whether the instance takes no more events after the running event. */
  let isRetiring = false

  let cancel = clock.after(loadLimit, () => lose('timeout', `${name} took more than ${loadLimit} ms to load`))
  const { send, kill, gone } = startProcess(settings, {
    frame: hear,
    read(isWhole) {
      if (state !== 'done') return
      if (!isWhole) return lose('crash', channelBroken('it sent more after its result'))
      if (isRetiring) return lose('crash', `${name} was stopped`)
      state = 'idle'
      hasBeenIdle = true
      events.idle(instance)
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
    call({ event, requestId, context, timeLimit: limit = timeout }) {
      const granted = Math.min(timeout, limit)
      state = 'busy'
      task = task === lastTask ? 1 : task + 1
      return new Promise(resolve => {
        resolveCall = resolve
        cancel = clock.after(granted, () => lose('timeout', `${name} timed out after ${granted} ms`))
        const head: TaskHead = { requestId, context, granted }
        send(task, `${JSON.stringify(head)}\n${event}`)
      })
    },
    end: () => lose('crash', `${name} was stopped`),
    gone,
  }
  return instance

  // The function can write to the channel, too, so any frame can arrive at any time.
  function hear({ kind, task: about, text }: Frame): void {
    if (state === 'lost') return
    const isLoading = state === 'starting' && about === 0
    const isRunning = state === 'busy' && about === task
    switch (kind) {
      case 'out':
      case 'err':
        // Output of an earlier event comes too late for that event's entry in the invocation log.
        if (isLoading || isRunning) logs.add(kind, text)
        return
      case 'uncaught':
        if (isLoading) uncaught = text
        else if (isRunning) lose('crash', `${name} ended by an uncaught error: ${text}`)
        else retire(text)
        return
      case 'ready':
        if (!isLoading) break
        cancel()
        state = 'done'
        return
      case 'unloadable':
        if (!isLoading) break
        lose('unloadable', text)
        return
      // A result for another event is ignored, so that it does not fail the running event.
      case 'result':
        if (isRunning) complete({ payload: text, logs: logs.lines, generation })
        return
      case 'failed': {
        if (!isRunning) return
        const message = messageOf(text)
        if (message === undefined) break
        const payload = text.slice(text.indexOf('\n') + 1)
        complete({ payload, failure: { kind: 'threw', message }, logs: logs.lines, generation })
        return
      }
    }
    lose('crash', channelBroken(`it sent an unexpected frame of the kind '${kind}'`))
  }

  /** Replaces the instance after the running event, because code of an earlier event failed. */
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
    const resolve = resolveCall
    resolveCall = undefined
    logs = logCollector()
    cancel()
    state = 'done'
    resolve?.(result)
  }

  function lose(kind: Failure['kind'], message: string): void {
    if (state === 'lost') return
    const result = failedResult(kind, message, generation, logs.lines)
    state = 'lost'
    cancel()
    kill()
    resolveCall?.(result)
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

/** Returns the message in the text of a `failed` frame. Returns undefined when there is none. */
function messageOf(failed: string): string | undefined {
  try {
    const message = JSON.parse(failed.slice(0, failed.indexOf('\n'))) as unknown
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}
