import type { Failure, LogLine } from '@signalbox/platform-runtime'
import { executedVersion } from '../executions/execution-arn.ts'

/** An invocation whose log a client wants. */
interface LoggedCall {
  readonly requestId: string
  readonly logs: readonly LogLine[]
  readonly failure: Failure | undefined
  /** The type of the error that the client gets. */
  readonly errorType: string | undefined
  /** The sentence about the time-out, if the function was stopped at its deadline. */
  readonly late: string | undefined
  /** The duration in milliseconds. */
  readonly duration: number
  /** The memory of the function in MB. */
  readonly memory: number
}

/** The maximum number of log bytes that a client gets. */
const limit = 4096

/**
 * Returns the last part of a function's log in base64, between the lines of AWS Lambda about the invocation. The memory
 * that the function used is not in it, because the platform does not measure it.
 */
export function logTail({ requestId, logs, failure, errorType, late, duration, memory }: LoggedCall): string {
  const report = [
    `REPORT RequestId: ${requestId}`,
    `Duration: ${duration.toFixed(2)} ms`,
    `Billed Duration: ${Math.ceil(duration)} ms`,
    `Memory Size: ${memory} MB`,
    ...statusOf(failure, errorType),
    '',
  ]
  const lines = [
    `START RequestId: ${requestId} Version: ${executedVersion}`,
    ...logs.map(({ text }) => text),
    ...(late === undefined ? [] : [late]),
    `END RequestId: ${requestId}`,
    report.join('\t'),
    '',
  ]
  const bytes = Buffer.from(lines.join('\n'))
  return bytes.subarray(Math.max(0, bytes.length - limit)).toString('base64')
}

/** An error that the function threw is a result of the invocation, and has no status of its own. */
function statusOf(failure: Failure | undefined, errorType: string | undefined): readonly string[] {
  if (failure === undefined || failure.kind === 'threw') return []
  return failure.kind === 'timeout' ? ['Status: timeout'] : ['Status: error', `Error Type: ${errorType}`]
}
