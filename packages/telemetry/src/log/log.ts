import {
  deadline,
  durableExecution,
  InvalidOptionError,
  type InvocationContext,
  observe,
  refuseUnknownOptions,
} from '@signalbox/core'
import { attempt } from '../attempt.ts'
import { clock } from '../clock.ts'
import { logFacts } from '../facts/log-facts.ts'
import { activeSpan } from '../trace/active-span.ts'
import { requestOf } from './current-request.ts'
import { consoleLine, flushOf, type Level, type LoggerLike, leastLevel, levels, lineOf } from './loggers.ts'
import { maskedLine } from './masked-line.ts'

/** Options of `log()`. */
export interface LogOptions {
  /**
   * A logger of pino, or Powertools' Logger, which writes the lines and decides on levels. Default: the console, with the
   * level in the variable `SIGNALBOX_LOG_LEVEL`.
   */
  readonly logger?: LoggerLike
}

/** Writes a line. Secrets in the message and the fields are masked. Never throws. */
export type WriteLog = (message: string, fields?: object) => void

/** Writes the log lines of one invocation, by level. */
export type Log = { readonly [Name in Level]: WriteLog }

/** Milliseconds before the deadline at which a logger that holds lines back is told to write them. */
const reserve = 200

/**
 * Returns functions that write log lines of one invocation in JSON, with its request id and the ids of the active trace and
 * span. With `telemetry({ log: true })`, lines also have the family of the event with its route, trigger source or queue, and
 * `log()` finds its event where a handler has no context. Fields whose names are those of secrets are masked, and so is what
 * looks like a secret in texts. In a durable function, a line is not written again by an invocation that only repeats what an
 * earlier one has done.
 *
 * @example
 * get('/orders/{id}', ({ params }, context) => {
 *   log(context).info('order read', { order: params.id })
 *   return json({})
 * })
 * @throws InvalidOptionError for an unknown option, and for a logger without these levels
 */
export function log(context?: InvocationContext, options: LogOptions = {}): Log {
  refuseUnknownOptions('log()', options, ['logger'])
  const { logger } = options
  const missing = logger && levels.find(level => typeof logger[level] !== 'function')
  if (missing !== undefined) throw new InvalidOptionError(`log(): logger has no function ${missing}`)
  const least = logger === undefined ? leastLevel(process.env) : 0
  const write = logger === undefined ? consoleLine : lineOf(logger)
  if (logger !== undefined) flushInTime(context ?? requestOf(undefined)?.context, logger)
  const writer =
    (level: Level): WriteLog =>
    (message, fields) => {
      if (levels.indexOf(level) < least || durableExecution()?.isReplaying) return
      attempt(() => {
        const line = maskedLine(String(message), fields ?? {})
        write(level, line.message, { ...line.fields, ...idsOf(context) })
      })
    }
  return {
    trace: writer('trace'),
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
  }
}

/** Returns the fields that say which event a line is about. They win over fields of the same names. */
function idsOf(context: InvocationContext | undefined): { readonly [name: string]: string } {
  const request = requestOf(context)
  const { requestId, awsRequestId } = context ?? request?.context ?? {}
  const span = activeSpan()
  const ids = {
    request_id: awsRequestId ?? requestId,
    trace_id: span?.traceId,
    span_id: span?.spanId,
    ...(request !== undefined && logFacts(request)),
  }
  return Object.fromEntries(
    Object.entries(ids).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** The contexts whose loggers are flushed in time. */
const flushed = new WeakMap<object, Set<object>>()

/** Makes a logger write what it holds back when the invocation ends, or shortly before the platform ends it. */
function flushInTime(context: InvocationContext | undefined, logger: LoggerLike): void {
  const flush = flushOf(logger)
  if (flush === undefined || context === undefined) return
  const known = flushed.get(context) ?? new Set()
  flushed.set(context, known)
  if (known.has(logger)) return
  known.add(logger)
  const time = deadline(context, { reserve, clock })
  const write = () => void attempt(flush)
  time.signal.addEventListener('abort', write, { once: true })
  observe(context, {
    handle: run => run(),
    message: (_record, run) => run(),
    end() {
      time.end()
      known.delete(logger)
      write()
    },
  })
}
