import { AsyncLocalStorage } from 'node:async_hooks'
import { format } from 'node:util'
import type { LogLine } from '../invoker.ts'
import { type LogCollector, logCollector } from './log-collector.ts'

const methods = { debug: 'out', log: 'out', info: 'out', warn: 'err', error: 'err', trace: 'err' } as const

/** The console output of one invocation. */
export interface ConsoleOutput {
  logs: LogCollector | undefined
}

type Method = keyof typeof methods
type Write = (...args: unknown[]) => void

const running = new AsyncLocalStorage<ConsoleOutput>()
let users = 0
/** What this module assigned to the console, and what was there before. */
const replaced = new Map<Method, { readonly ours: Write; readonly original: Write }>()
let isWriting = false

/**
 * Assigns console output to the invocation that wrote it, even after an await, until every caller has called `release`.
 * The console still prints the output. Other code may replace the methods of the console too, as spies of tests do, and
 * put them back: each `run` therefore looks again.
 */
export function captureConsole(): {
  readonly run: (output: ConsoleOutput, task: () => void) => void
  readonly release: () => void
} {
  users++
  let held = true
  return {
    run(output, task) {
      watch(globalThis.console)
      running.run(output, task)
    },
    release() {
      if (!held) return
      held = false
      if (--users === 0) giveBack(globalThis.console)
    },
  }
}

function watch(console: Console): void {
  for (const [method, stream] of Object.entries(methods) as [Method, LogLine['stream']][]) {
    const original = console[method] as Write
    if (original === replaced.get(method)?.ours) continue
    const ours: Write = (...args) => {
      const output = running.getStore()
      // A spy may call the method that it found, which is another one of ours.
      if (output !== undefined && !isWriting) {
        output.logs ??= logCollector()
        output.logs.add(stream, format(...args))
      }
      const isInner = isWriting
      isWriting = true
      try {
        original.apply(console, args)
      } finally {
        isWriting = isInner
      }
    }
    replaced.set(method, { ours, original })
    console[method] = ours
  }
}

function giveBack(console: Console): void {
  for (const [method, { ours, original }] of replaced)
    if (console[method] === ours) console[method] = original
  replaced.clear()
}
