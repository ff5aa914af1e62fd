import { mark, maskJson, maskText, repeatsOf, spellings } from '@signalbox/telemetry/masking'
import type { Call, LogLine } from '../invoker.ts'
import { logCollector } from './log-collector.ts'

/**
 * Keeps the output that a function writes after the answer to an event, until a later event of the function takes it into
 * its log.
 */
export interface LateOutput {
  /** Adds output. The call is the one that was answered, or undefined for output that belongs to no event. */
  readonly add: (call: Call | undefined, stream: LogLine['stream'], text: string) => void
  /** Returns the lines since the last time, each call's with a line before them that names its request. */
  readonly take: () => readonly LogLine[]
}

/**
 * Returns an empty store. The output is masked with the secrets of its own event, because the log that takes it is masked
 * with those of another one.
 * @param notice is called with the first output of each time, unless it belongs to no event
 */
export function lateOutput(name: string, notice: (text: string) => void): LateOutput {
  let logs = logCollector()
  let last: { readonly call: Call | undefined; readonly masked: (text: string) => string } | undefined
  return {
    add(call, stream, text) {
      const isFirst = logs.lines.length === 0
      if (last === undefined || last.call !== call) last = { call, masked: maskerOf(call) }
      else if (!isFirst) return void logs.add(stream, last.masked(text))
      if (isFirst && call !== undefined) notice(adviceOn(name, call, last.masked(text)))
      logs.add(
        'out',
        call === undefined ? '(outside of an event:)' : `(after the answer to ${call.requestId}:)`,
      )
      logs.add(stream, last.masked(text))
    },
    take() {
      const { lines } = logs
      if (lines.length > 0) logs = logCollector()
      return lines
    },
  }
}

function maskerOf(call: Call | undefined): (text: string) => string {
  const { secrets, tooMany } = call === undefined ? { secrets: [], tooMany: false } : maskJson(call.event)
  if (tooMany) return () => mark
  return text => {
    const own = maskText(text)
    return repeatsOf(spellings(new Set([...secrets, ...own.secrets]))).all(own.text)
  }
}

function adviceOn(name: string, { requestId }: Call, text: string): string {
  const [line = ''] = text.trim().split('\n')
  return `${name} went on after its answer to ${requestId} and wrote: ${line.slice(0, 200)}
Await that work before the answer: a cloud platform freezes a function there. The output stands in the log of the next event.`
}
