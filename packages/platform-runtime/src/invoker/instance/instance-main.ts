// The main module of an instance: it loads a function, and calls it with one event at a time.
import { AsyncLocalStorage } from 'node:async_hooks'
import { flushCompileCache } from 'node:module'
import { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { watchdogThread } from '../../own-code.ts'
import type { LogLine } from '../invoker.ts'
import { captureOutput } from '../logs/capture-output.ts'
import { type LogCollector, logCollector } from '../logs/log-collector.ts'
import { longTextResult } from '../result/long-text-result.ts'
import { serializeError, serializeResult } from '../result/serialize-result.ts'
import { exportedFunction } from './exported-function.ts'
import { type Frame, frameReader } from './frame.ts'
import { frameSender } from './frame-sender.ts'
import { descriptors, type InstanceSettings, type TaskHead } from './instance-message.ts'
import { killGroup } from './kill-group.ts'
import { loadHint, nearestExport } from './load-hint.ts'
import { userStack } from './user-stack.ts'

/** What the function is doing: loading, or working on an event. */
interface Work {
  /** The task number of the event, or 0 while the function is loaded. */
  readonly task: number
  logs: LogCollector | undefined
  isOver: boolean
}

const settings = JSON.parse(process.argv[2]!) as InstanceSettings
process.argv.splice(2)
const { parse } = JSON

const send = frameSender(descriptors.messages)
const running = new AsyncLocalStorage<Work>()
const loading: Work = { task: 0, logs: undefined, isOver: false }

/** Node's exit code of a process whose main module waits for a promise that nothing can settle. */
const unsettledCode = 13

// The watchdog has its own thread, so that a function that never yields can be stopped.
new Worker(watchdogThread, {
  workerData: { memoryLimit: settings.memoryLimit },
  execArgv: [],
  env: {},
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
}).unref()

captureOutput((stream, text) => say(running.getStore() ?? loading, stream, text))

const whileLoading = (error: unknown) => send('uncaught', 0, loadError(error))
process.on('uncaughtExceptionMonitor', whileLoading)
process.once('exit', onUnsettled)
const handler = await running.run(loading, load)
loading.isOver = true
if (handler !== undefined) {
  process.off('uncaughtExceptionMonitor', whileLoading)
  process.off('exit', onUnsettled)
  process.on('uncaughtException', onUncaught)
  const tasks = new Socket({ fd: descriptors.tasks, readable: true, writable: false })
  tasks.on(
    'data',
    frameReader(Number.POSITIVE_INFINITY, frame => void work(frame)),
  )
  tasks.on('error', () => {})
  // This also kills the processes that the function started.
  tasks.on('close', () => killGroup(process.pid))
  send('ready', 0, settings.inspect ? await inspectorPort() : '')
  // Node would do this when it exits, but instances are killed.
  flushCompileCache()
}

async function inspectorPort(): Promise<string> {
  const { url } = await import('node:inspector')
  return new URL(url() ?? 'ws://closed').port
}

/** Sends the output of an event to the platform, with the number of the event, also after the event's end. */
function say(work: Work, stream: LogLine['stream'], text: string): void {
  if (text === '') return
  work.logs ??= logCollector()
  const kept = work.logs.add(stream, text)
  if (kept !== undefined) send(stream, work.task, kept)
}

async function load(): Promise<((event: unknown, context: object) => unknown) | undefined> {
  try {
    const exports = (await import(settings.module)) as Record<string, unknown>
    const found = exportedFunction(exports, settings.exportName)
    if (typeof found === 'function') return found
    send('unloadable', 0, found.why)
  } catch (error) {
    const where = userStack(error)
    if (error instanceof SyntaxError && !where.includes('\n')) {
      // Node prints the position of a syntax error only when the error is not caught.
      process.removeAllListeners('uncaughtException')
      throw error
    }
    say(loading, 'err', where)
    send('unloadable', 0, `The module cannot be loaded. ${loadError(error, await nearestExport(error))}`)
  }
  return undefined
}

/** Reports a top-level await that never ends. With nothing else to do, Node then exits with a code of its own. */
function onUnsettled(code: number): void {
  if (code !== unsettledCode || loading.isOver) return
  send('unloadable', 0, 'The module cannot be loaded. One of its top-level awaits never ends.')
}

/** Returns the error of a module that cannot be loaded, with advice. */
function loadError(error: unknown, meant?: string): string {
  const { threw } = serializeError(error)
  const hint = loadHint(error, meant)
  return hint === undefined ? threw! : `${threw!.replace(/\.?$/, '.')} ${hint}`
}

async function work({ task, text }: Frame): Promise<void> {
  const began = performance.now()
  const headEnd = text.indexOf('\n')
  const head = parse(text.slice(0, headEnd)) as TaskHead
  const { requestId, context: more, granted, takesValue, takesTrace } = head
  const context = {
    ...more,
    functionName: settings.functionName,
    requestId,
    deadline: Date.now() + granted,
    getRemainingTimeInMillis: () => Math.max(0, granted - (performance.now() - began)),
  }
  const own: Work = { task, logs: undefined, isOver: false }
  let answer: ReturnType<typeof serializeResult>
  let longText: ReturnType<typeof longTextResult>
  try {
    const event = parse(text.slice(headEnd + 1)) as unknown
    const result = await running.run(own, () => handler!(event, context))
    longText = takesValue ? longTextResult(result) : undefined
    answer = longText === undefined ? serializeResult(result) : { payload: '' }
  } catch (error) {
    const stack = userStack(error)
    answer = serializeError(error, takesTrace === true ? stack : undefined)
    say(own, 'err', stack)
  }
  own.isOver = true
  const { payload, threw } = answer
  if (longText !== undefined) send('long-text', task, ...longText)
  else if (threw === undefined) send('result', task, payload)
  else send('failed', task, `${JSON.stringify(threw)}\n${payload}`)
}

/**
 * Ends the instance after an uncaught error. The error fails the event that caused it, if that event is still running,
 * but never a later event.
 */
function onUncaught(error: unknown): void {
  // The function has added its own listener, which decides what happens.
  if (process.listenerCount('uncaughtException') > 1) return
  const from = running.getStore() ?? loading
  say(from, 'err', userStack(error))
  send('uncaught', from.task, serializeError(error).threw!)
  if (!from.isOver) process.exit(1)
}
