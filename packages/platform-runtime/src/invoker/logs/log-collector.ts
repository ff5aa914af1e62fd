import { type LogLine, logLimit } from '../invoker.ts'

/** Collects the output of one event, up to a limit. */
export interface LogCollector {
  /** Adds output, and returns the part of it that was kept. Returns undefined when nothing was kept. */
  readonly add: (stream: LogLine['stream'], text: string) => string | undefined
  readonly lines: readonly LogLine[]
}

/** The maximum number of log lines for one event. Even empty lines need memory. */
const lineLimit = 16 * 1024

const cut = `(what follows is left out: ${logLimit} characters, and ${lineLimit} lines, are the most for one event)`

/** Returns a collector that drops output above the limit, and adds one line that says so. */
export function logCollector(): LogCollector {
  const lines: LogLine[] = []
  let left = logLimit
  let isFull = false
  return {
    lines,
    add(stream, text) {
      if (isFull) return undefined
      const kept = text.length > left ? text.slice(0, left) : text
      left -= kept.length
      lines.push({ stream, text: kept.endsWith('\n') ? kept.slice(0, -1) : kept })
      isFull = left <= 0 || lines.length >= lineLimit
      if (isFull) lines.push({ stream: 'err', text: cut })
      return kept
    },
  }
}
