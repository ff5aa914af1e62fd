import { type LogLine, logLimit } from './invoker.ts'

/** Keeps what is written for one event, up to a limit. */
export interface LogCollector {
  /** Answers whether it was kept. */
  readonly add: (stream: LogLine['stream'], text: string) => boolean
  readonly lines: readonly LogLine[]
}

const cut = `(what follows is left out: ${logLimit} characters are the most for one event)`

/** A collector; what comes after the limit is dropped, and one line says so. */
export function logCollector(): LogCollector {
  const lines: LogLine[] = []
  let left = logLimit
  return {
    lines,
    add(stream, text) {
      if (left <= 0) return false
      const kept = text.length > left ? text.slice(0, left) : text
      left -= text.length
      lines.push({ stream, text: kept.endsWith('\n') ? kept.slice(0, -1) : kept })
      if (left <= 0) lines.push({ stream: 'err', text: cut })
      return true
    },
  }
}
