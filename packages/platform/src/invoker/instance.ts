import { ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Clock } from '@signalbox/core'
import { execArguments } from './exec-arguments.ts'
import { failedOutcome } from './failed-outcome.ts'
import type { InstanceMessage, InstanceOrders, InstanceTask } from './instance-message.ts'
import type { Call, Failure, Outcome } from './invoker.ts'
import { logCollector } from './log-collector.ts'
import { neighbour } from './neighbour.ts'

/** What is run in instances of its own. */
export interface ModuleSettings {
  readonly name: string
  /** A file URL. */
  readonly module: string
  readonly exportName: string
  /** Milliseconds. */
  readonly timeout: number
  /** MB of heap for one instance. */
  readonly memory: number
  readonly env: { readonly [name: string]: string }
  /** Environment variables of the platform's own, as they are when an instance starts; `env` goes before them. */
  readonly platformEnv?: { readonly [name: string]: string }
  /** The working folder of the instances. */
  readonly folder: string
}

/** A process that runs a function, one event at a time. */
export interface Instance {
  readonly generation: number
  /** To be called while it is idle. Always resolves. */
  readonly call: (call: Call) => Promise<Outcome>
  /** Ends it, and whatever it is working on fails. */
  readonly end: () => void
  /** Resolves when nothing of it is left. */
  readonly gone: Promise<void>
}

/** What becomes of an instance. */
export interface InstanceEvents {
  readonly idle: (instance: Instance) => void
  /** It takes no more events. With the outcome for whoever waited for it, when it never came to be idle. */
  readonly lost: (instance: Instance, unready: Outcome | undefined) => void
}

/** Milliseconds that a module may take to load. */
const loadLimit = 10_000

/** MB that an instance may use on top of its heap: code, buffers, threads. */
const beyondHeap = 192

/** Starts an instance. It is idle when its function is loaded. */
export function startInstance(
  settings: ModuleSettings,
  generation: number,
  clock: Clock,
  events: InstanceEvents,
): Instance {
  const { name, timeout, memory } = settings
  let state: 'starting' | 'idle' | 'busy' | 'lost' = 'starting'
  let logs = logCollector()
  let answer: ((outcome: Outcome) => void) | undefined
  let lastWords: string | undefined
  let outOfMemory = false

  const child = launch(settings)
  let cancel = clock.after(loadLimit, () => lose('timeout', `${name} took more than ${loadLimit} ms to load`))

  child.on('message', message => hear(message as InstanceMessage))
  child.on('error', error => lose('crash', `${name} has no process: ${error.message}`))
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('heap out of memory')) outOfMemory = true
      logs.add(output === child.stdout ? 'out' : 'err', text)
    })
  }
  const toWatchdog = stdioOf(child)?.[4] as Socket | null | undefined
  toWatchdog?.on('data', () => {
    outOfMemory = true
  })
  toWatchdog?.on('error', () => {})
  const gone = end(child).then(([code, signal]) => {
    if (state === 'starting' && lastWords !== undefined)
      lose('unloadable', `The module cannot be loaded. ${lastWords}`)
    else lose('crash', died(code, signal))
  })

  const instance: Instance = {
    generation,
    call({ event, requestId, context, limit = timeout }) {
      const granted = Math.min(timeout, limit)
      state = 'busy'
      return new Promise(resolve => {
        answer = resolve
        cancel = clock.after(granted, () => lose('timeout', `${name} timed out after ${granted} ms`))
        const task: InstanceTask = { event, requestId, context, granted }
        child.send(task, error => {
          if (error) lose('crash', `${name} cannot be reached: ${error.message}`)
        })
      })
    },
    end: () => lose('crash', `${name} was stopped`),
    gone,
  }
  return instance

  function hear(message: InstanceMessage): void {
    if (state === 'lost') return
    switch (message.kind) {
      case 'ready':
        cancel()
        state = 'idle'
        events.idle(instance)
        return
      case 'unloadable':
        lose('unloadable', message.message)
        return
      case 'log':
        logs.add(message.stream, message.text)
        return
      case 'dying':
        lastWords = message.message
        return
      case 'answer': {
        cancel()
        state = 'idle'
        const { payload, threw } = message
        settle({
          payload,
          ...(threw === undefined ? {} : { failure: { kind: 'threw', message: threw } }),
          logs: logs.lines,
          generation,
        })
        events.idle(instance)
      }
    }
  }

  function settle(outcome: Outcome): void {
    const resolve = answer
    answer = undefined
    logs = logCollector()
    resolve?.(outcome)
  }

  function lose(kind: Failure['kind'], message: string): void {
    if (state === 'lost') return
    const wasStarting = state === 'starting'
    const outcome = failedOutcome(kind, message, generation, logs.lines)
    state = 'lost'
    cancel()
    kill(child)
    settle(outcome)
    events.lost(instance, wasStarting ? outcome : undefined)
  }

  function died(code: number | null, signal: string | null): string {
    if (outOfMemory) return `${name} ran out of memory: ${memory} MB`
    if (lastWords !== undefined) return `${name} died of an error that nobody caught: ${lastWords}`
    return signal === null ? `${name} exited with code ${code}` : `${name} was killed by ${signal}`
  }
}

function launch({
  name,
  module,
  exportName,
  memory,
  env,
  platformEnv,
  folder,
}: ModuleSettings): ChildProcess {
  const orders: InstanceOrders = {
    functionName: name,
    module,
    exportName,
    memoryLimit: (memory + beyondHeap) * 1024 * 1024,
  }
  try {
    return fork(neighbour('instance-main', import.meta.url), [JSON.stringify(orders)], {
      cwd: folder,
      env: { ...process.env, ...platformEnv, ...env },
      execArgv: execArguments(process.execArgv, import.meta.url, memory),
      serialization: 'advanced',
      // A group of its own: an interrupt from the keyboard is for the platform, which lets its instances finish.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
    })
  } catch (error) {
    // Some reasons for which there is no process are told in an event, and some are thrown.
    const none = new ChildProcess()
    process.nextTick(() => none.emit('error', error))
    return none
  }
}

/** A process that could not be made because this one has too many files open has none, whatever the types say. */
function stdioOf(child: ChildProcess): ChildProcess['stdio'] | undefined {
  return child.stdio
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

// What a process still said arrives before `close`. That waits for whatever else holds its outputs open, which
// may be a process that the function has started, so there is an end to the waiting.
function end(child: ChildProcess): Promise<[code: number | null, signal: string | null]> {
  return new Promise(resolve => {
    child.on('close', (code, signal) => resolve([code, signal]))
    child.on('exit', (code, signal) => setTimeout(() => resolve([code, signal]), 250).unref())
    child.on('error', () => child.pid === undefined && resolve([null, null]))
  })
}
