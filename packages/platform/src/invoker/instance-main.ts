// What runs in the process of an instance: it loads a function, and calls it with one event at a time.
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { answerOf, thrown } from './answer.ts'
import type { InstanceMessage, InstanceOrders, InstanceTask } from './instance-message.ts'
import { type LogCollector, logCollector } from './log-collector.ts'
import { neighbour } from './neighbour.ts'
import { whereabouts } from './whereabouts.ts'

const orders = JSON.parse(process.argv[2]!) as InstanceOrders

const channel = process.send!.bind(process)
const tell = (message: InstanceMessage) => void channel(message)
// Libraries take a process that can send for a worker of their own kind.
Object.assign(process, { send: undefined })
process.argv.splice(2)

// In a thread of its own, so that a function that never yields cannot outlive the platform or its memory.
new Worker(neighbour('watchdog', import.meta.url), {
  workerData: orders.memoryLimit,
  execArgv: [],
  env: {},
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
}).unref()

let logs: LogCollector = logCollector()
listen('out', process.stdout)
listen('err', process.stderr)

process.on('disconnect', () => process.exit())
process.on('uncaughtExceptionMonitor', error => tell({ kind: 'dying', message: thrown(error).threw! }))

const handler = await load()
if (handler !== undefined) {
  process.on('message', task => void work(task as InstanceTask))
  tell({ kind: 'ready' })
}

function listen(stream: 'out' | 'err', output: NodeJS.WriteStream): void {
  output.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    if (text !== '' && logs.add(stream, text)) tell({ kind: 'log', stream, text })
    const done = rest.find(argument => typeof argument === 'function')
    if (done !== undefined) process.nextTick(done as () => void)
    return true
  }
}

async function load(): Promise<((event: unknown, context: object) => unknown) | undefined> {
  try {
    const exports = (await import(orders.module)) as Record<string, unknown>
    const found =
      exports[orders.exportName] ??
      (exports.default as Record<string, unknown> | undefined)?.[orders.exportName]
    if (typeof found === 'function') return found as (event: unknown, context: object) => unknown
    const names = Object.keys(exports).join(', ') || 'nothing'
    const why =
      found === undefined || found === null
        ? `The module exports no function named ${orders.exportName}. It exports ${names}.`
        : `What the module exports as ${orders.exportName} is no function: it is of the type ${typeof found}.`
    tell({ kind: 'unloadable', message: why })
  } catch (error) {
    const where = whereabouts(error)
    if (error instanceof SyntaxError && !where.includes('\n')) {
      // Only Node knows where an error of syntax is, and it shows that when nobody catches the error.
      process.removeAllListeners('uncaughtException')
      throw error
    }
    process.stderr.write(where)
    tell({ kind: 'unloadable', message: `The module cannot be loaded. ${thrown(error).threw}` })
  }
  return undefined
}

async function work({ event, requestId, context: more, granted }: InstanceTask): Promise<void> {
  logs = logCollector()
  const began = performance.now()
  const context = {
    ...more,
    functionName: orders.functionName,
    requestId,
    deadline: Date.now() + granted,
    getRemainingTimeInMillis: () => Math.max(0, granted - (performance.now() - began)),
  }
  let answer: ReturnType<typeof answerOf>
  try {
    answer = answerOf(await handler!(JSON.parse(event), context))
  } catch (error) {
    answer = thrown(error)
    process.stderr.write(whereabouts(error))
  }
  tell({ kind: 'answer', ...answer })
}
