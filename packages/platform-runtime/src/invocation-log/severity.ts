import type { InvocationLogEntry } from './entry.ts'

/**
 * How much the result of an invocation hurts: `error` for a person who got nothing, or for work that is not done;
 * `warning` for work that is done in part, for a request that was the client's mistake, or for a logged error; `neutral`
 * for a decision against a request, or when nothing is known.
 */
export type Severity = 'ok' | 'neutral' | 'warning' | 'error'

type Judged = Pick<InvocationLogEntry, 'verdict' | 'failure'> & Partial<Pick<InvocationLogEntry, 'logs'>>

/**
 * Returns how much the result of an invocation hurts. A verdict only says what the contract permits: it accepts an HTTP
 * response with status 500, and a trigger that denies because of a mistake in its code.
 */
export function severityOf({ verdict, failure, logs = [] }: Judged): Severity {
  const severity = withoutLogs(verdict, failure)
  const isQuiet = severity === 'ok' || severity === 'neutral'
  return isQuiet && loggedErrors({ failure, logs }) > 0 ? 'warning' : severity
}

function withoutLogs(verdict: Judged['verdict'], failure: Judged['failure']): Severity {
  if (verdict?.kind === 'denied') return failure === undefined ? 'neutral' : ofDenial(failure)
  if (failure !== undefined) return 'error'
  if (verdict === undefined) return 'neutral'
  if (!verdict.ok) return 'error'
  if (verdict.kind === 'partial') return 'warning'
  if (verdict.kind !== 'answered') return 'ok'
  const status = Number(/^\d{3}\b/.exec(verdict.text)?.[0])
  if (status >= 500) return 'error'
  return status >= 400 ? 'warning' : 'ok'
}

/** A trigger denies by failing. `deny()` shows that it meant to, and a plain Error may mean either. */
function ofDenial({ kind, message }: NonNullable<Judged['failure']>): Severity {
  if (kind !== 'threw') return 'error'
  if (/^DeniedError\b/.test(message)) return 'neutral'
  return /^Error\b/.test(message) ? 'warning' : 'error'
}

/** The names of levels that are errors, in lines of loggers. In numbers, they begin at 50, as in pino and bunyan. */
const errorLevels = /^(?:error|fatal|critical|alert|emerg\w*)$/i

/**
 * Returns the number of errors that a function logged: lines of JSON with such a level, and other output on stderr. The
 * output of an invocation that failed is about its failure, and is not counted.
 */
export function loggedErrors({ failure, logs }: Pick<InvocationLogEntry, 'failure' | 'logs'>): number {
  if (failure !== undefined) return 0
  return logs.filter(({ stream, text }) => {
    const level = levelOf(text)
    if (level === undefined) return stream === 'err' && !/^\(node:\d+\)/.test(text)
    return typeof level === 'number' ? level >= 50 : errorLevels.test(String(level))
  }).length
}

/** Returns the level of a line that a logger wrote as JSON. */
function levelOf(text: string): unknown {
  if (!text.startsWith('{')) return undefined
  try {
    const { level, severity } = JSON.parse(text) as { readonly level?: unknown; readonly severity?: unknown }
    return level ?? severity
  } catch {
    return undefined
  }
}
