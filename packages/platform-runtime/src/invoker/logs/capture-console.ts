import { AsyncLocalStorage } from 'node:async_hooks'
import { format } from 'node:util'
import type { LogLine } from '../invoker.ts'
import { type LogCollector, logCollector } from './log-collector.ts'

const methods = { debug: 'out', log: 'out', info: 'out', warn: 'err', error: 'err', trace: 'err' } as const

/** The console output of one invocation. */
export interface ConsoleOutput {
  logs: LogCollector | undefined
}

const running = new AsyncLocalStorage<ConsoleOutput>()
let users = 0
let restore: (() => void) | undefined

/**
 * Assigns console output to the invocation that wrote it, even after an await, until every caller has called `release`.
 * The console still prints the output.
 */
export function captureConsole(): {
  readonly run: (output: ConsoleOutput, task: () => void) => void
  readonly release: () => void
} {
  if (users++ === 0) restore = watch(globalThis.console)
  let held = true
  return {
    run: (output, task) => running.run(output, task),
    release() {
      if (!held) return
      held = false
      if (--users === 0) restore?.()
    },
  }
}

function watch(console: Console): () => void {
  const originals = new Map<keyof typeof methods, (...args: unknown[]) => void>()
  for (const [method, stream] of Object.entries(methods) as [keyof typeof methods, LogLine['stream']][]) {
    const original = console[method] as (...args: unknown[]) => void
    originals.set(method, original)
    console[method] = (...args: unknown[]) => {
      const output = running.getStore()
      if (output !== undefined) {
        output.logs ??= logCollector()
        output.logs.add(stream, format(...args))
      }
      original.apply(console, args)
    }
  }
  return () => {
    for (const [method, original] of originals) console[method] = original
  }
}
