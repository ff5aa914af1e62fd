import type { Clock } from '@signalbox/core'
import { maskText } from '../../masking/mask.ts'
import type { Call, Failure, InvocationResult } from '../invoker.ts'
import type { LateOutput } from '../logs/late-output.ts'
import { logCollector } from '../logs/log-collector.ts'
import { failedResult } from '../result/failed-result.ts'
import { callDurations } from './call-durations.ts'
import { type Frame, readFramesFrom } from './frame.ts'
import { frameResult } from './frame-result.ts'
import { type ModuleSettings, type ProcessEnd, startProcess } from './instance-process.ts'
import { following, grantedTo, isAfter, type PendingCall, type Task, taskLimit } from './task.ts'
import { type TasksLeft, tasksLeft } from './tasks-left.ts'

/** A process that runs a function, one event at a time. */
export interface Instance {
  readonly generation: number
  /** Runs a call after those that the instance has. The instance must be idle, or accept the call. */
  readonly run: (pending: PendingCall) => void
  /**
   * Returns the number of calls that the instance has, or Infinity if it does not accept a call ahead of time. It does
   * while its recent calls were short.
   */
  readonly load: (call: Call) => number
  /** Ends the instance. A running call fails. */
  readonly end: () => void
  /** Returns the port of the inspector, once the function is loaded. Undefined for an instance without one. */
  readonly inspectorPort: () => number | undefined
  /** Resolves when the process of the instance has ended. */
  readonly gone: Promise<void>
}

export interface InstanceEvents {
  readonly idle: (instance: Instance) => void
  /** Called when the instance has finished some of its calls, but not all. */
  readonly progress: () => void
  /** Called with calls that the instance has not started, and will not start. */
  readonly returned: (calls: readonly PendingCall[]) => void
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

/** The maximum length of an event that is sent ahead of time. */
const shortEvent = 32 * 1024

/** Milliseconds that a call may take before the calls after it are taken back. */
const stallLimit = 25

/** Milliseconds to wait for the answer of a process that is going to be killed. */
const answerLimit = 250

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
  /** The calls that were sent to the process: the running call, and those after it. */
  const tasks: Task[] = []
  /** The number of the task that was sent last, or 0 while the function is loaded. */
  let sent = 0
  /** The number of the running task, or of the task that ran last. */
  let running = 0
  /** The call that was answered last. */
  let answered: Pick<Task, 'number' | 'call'> | undefined
  /** The number through which tasks are being taken back. */
  let takenBackTo: number | undefined
  /** The number of the task that ran when the process was asked to take tasks back. */
  let askedDuring = 0
  let cancelStall: (() => void) | undefined
  let left: TasksLeft | undefined
  let whyLost = ''
  let logs = logCollector()
  let uncaught: string | undefined
  let hasBeenIdle = false
  let inspectorPort: number | undefined
  /** Whether the instance takes no more events after those that it has. */
  let isRetiring = false
  const durations = callDurations(clock)

  let cancel = clock.after(loadLimit, () => lose('timeout', `${name} took more than ${loadLimit} ms to load`))
  const { send, forgetOutput, takeBack, kill, gone } = startProcess(settings, {
    frame: hear,
    read(isWhole) {
      if (state === 'busy') events.progress()
      if (state !== 'done') return
      if (!isWhole) return lose('crash', channelBroken('it sent more after its result'))
      rest()
    },
    broken: why => lose('crash', channelBroken(why)),
    closed() {
      // During a call, the exit of the process explains the failure better than the closed channel does.
      if (state === 'idle') lose('crash', channelBroken('it is closed'))
    },
    started: hearStarted,
    missing: why => lose('crash', `${name} has no process: ${why}`),
    ended(end) {
      if (end.written !== '') logs.add('err', end.written)
      if (state === 'starting' && uncaught !== undefined)
        lose('unloadable', `The module cannot be loaded. ${uncaught}`)
      else lose('crash', died(end))
      giveBack(end.unread)
    },
  })

  const instance: Instance = {
    generation,
    run(pending) {
      sent = following(sent)
      tasks.push({ ...pending, number: sent })
      if (tasks.length === 1) begin()
      else watchForStall()
      send(sent, pending.text)
    },
    load({ event }) {
      const accepts =
        state === 'busy' &&
        tasks.length < taskLimit &&
        durations.isShort(tasks.length) &&
        event.length <= shortEvent &&
        takenBackTo === undefined &&
        !isRetiring
      return accepts ? tasks.length : Number.POSITIVE_INFINITY
    },
    end: () => lose('crash', `${name} was stopped`),
    inspectorPort: () => inspectorPort,
    gone,
  }
  return instance

  /** The first task runs now. */
  function begin(): void {
    const { call, number } = tasks[0]!
    const granted = grantedTo(call, timeout)
    state = 'busy'
    running = number
    durations.begin()
    forgetOutput()
    cancel = clock.after(granted, () => lose('timeout', `${name} timed out after ${granted} ms`))
  }

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
    if (state === 'lost') {
      const completed = left?.hear(frame)
      completed?.resolve(resultOf(frame, completed.call) ?? failedResult('crash', whyLost, generation))
      return
    }
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
        const result = resultOf(frame, tasks[0]!.call)
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
    const { number, call, resolve } = tasks.shift()!
    answered = { number, call }
    const late = events.late.take()
    logs = logCollector()
    cancel()
    durations.end()
    if (tasks.length > 0) begin()
    else state = 'done'
    resolve(late.length === 0 ? result : { ...result, logs: [...result.logs, ...late] })
  }

  /** Returns the call that was answered last, unless output is about no event. */
  function answeredIn(about: number): Call | undefined {
    return about === 0 ? undefined : answered?.call
  }

  /** Takes back the calls after the running call when it takes much longer than the recent calls did. */
  function watchForStall(): void {
    if (cancelStall !== undefined) return
    const watched = running
    cancelStall = clock.after(stallLimit, () => {
      cancelStall = undefined
      if (state !== 'busy' || tasks.length < 2) return
      if (running !== watched) return watchForStall()
      durations.stall()
      askBack()
    })
  }

  function askBack(): void {
    askedDuring = running
    takenBackTo = sent
    takeBack(sent)
  }

  function hearStarted(started: number): void {
    // The function can send such a line, too.
    const isAnswer = following(started) === askedDuring || !isAfter(askedDuring, started)
    if (takenBackTo === undefined || !isAnswer) return
    if (state === 'lost') {
      left?.started(started)
      kill()
      return
    }
    // If the process has finished the tasks in the meantime, it may have later ones.
    const isCurrent = tasks.at(-1)?.number === takenBackTo
    takenBackTo = undefined
    const at = tasks.findIndex(({ number }) => number === started)
    if (!isCurrent || (at < 0 && following(started) !== tasks[0]!.number)) return
    const returned = tasks.splice(at + 1)
    if (tasks.length === 0) {
      cancel()
      state = 'done'
    }
    events.returned(returned)
    if (state === 'done') rest()
  }

  function lose(kind: Failure['kind'], message: string): void {
    if (state === 'lost') return
    const result = failedResult(kind, message, generation, logs.lines)
    state = 'lost'
    cancel()
    cancelStall?.()
    tasks.shift()?.resolve(result)
    if (tasks.length === 0) kill()
    else {
      // The process is killed as soon as it has said what else it has started.
      left = tasksLeft(tasks, running)
      whyLost = `${name} was stopped because of another event: ${message}`
      logs = logCollector()
      askBack()
      cancel = clock.after(answerLimit, kill)
    }
    events.lost(instance, hasBeenIdle ? undefined : result)
  }

  /** Fails the calls that an instance had started when it was lost, and returns the others. */
  function giveBack(unread: Buffer): void {
    if (left === undefined) return
    cancel()
    readFramesFrom(running, unread, hear)
    const { started, others } = left.end()
    for (const { resolve } of started) resolve(failedResult('crash', whyLost, generation))
    if (others.length > 0) events.returned(others)
  }

  function channelBroken(why: string): string {
    return `${name} broke its channel to the platform: ${why}`
  }

  function died({ code, signal, isOutOfMemory }: ProcessEnd): string {
    if (isOutOfMemory) return `${name} ran out of memory: ${memory} MB`
    return signal === null ? `${name} exited with code ${code}` : `${name} was killed by ${signal}`
  }
}
