/** The levels, the least important first. */
export const levels = ['trace', 'debug', 'info', 'warn', 'error'] as const

export type Level = (typeof levels)[number]

type Write = (...values: never[]) => unknown

/** A logger of pino, or Powertools' Logger. It decides by itself which levels it writes. */
export interface LoggerLike {
  readonly trace: Write
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}

/** What may be at a logger besides its levels. */
interface Further {
  /** Of Powertools. */
  readonly appendKeys?: unknown
  readonly flushBuffer?: () => unknown
  /** Of pino. */
  readonly flush?: () => unknown
}

/** Writes a line. The text of a line that has no logger is JSON already. */
export type WriteLine = (level: Level, message: string, fields: { readonly [name: string]: unknown }) => void

/** Returns a function that writes lines to a logger: pino gets the fields first, and Powertools the message. */
export function lineOf(logger: LoggerLike): WriteLine {
  const takesMessageFirst = typeof (logger as Further).appendKeys === 'function'
  return (level, message, fields) => {
    const write = logger[level] as (...values: unknown[]) => unknown
    if (takesMessageFirst) write.call(logger, message, fields)
    else write.call(logger, fields, message)
  }
}

/** Returns the function that writes what a logger holds back, or undefined. */
export function flushOf(logger: LoggerLike): (() => void) | undefined {
  const { flush, flushBuffer } = logger as Further
  const own = flush ?? flushBuffer
  return typeof own === 'function' ? () => void own.call(logger) : undefined
}

/** Writes lines of JSON to the console, or to stdout where the console of AWS would put something before them. */
export const consoleLine: WriteLine = (level, message, fields) => {
  const line = JSON.stringify({ timestamp: new Date().toISOString(), level, message, ...fields })
  if (process.env.AWS_LAMBDA_FUNCTION_NAME !== undefined) process.stdout.write(`${line}\n`)
  // `console.trace` would write a stack.
  else console[level === 'trace' ? 'debug' : level](line)
}

/** Reads the least level of lines: `SIGNALBOX_LOG_LEVEL`, or `AWS_LAMBDA_LOG_LEVEL`, or info. `silent` writes none. */
export function leastLevel(environment: NodeJS.ProcessEnv): number {
  const name = (environment.SIGNALBOX_LOG_LEVEL ?? environment.AWS_LAMBDA_LOG_LEVEL ?? '').toLowerCase()
  if (name === 'silent' || name === 'off') return levels.length
  const at = levels.indexOf((name === 'fatal' || name === 'critical' ? 'error' : name) as Level)
  return at < 0 ? levels.indexOf('info') : at
}
