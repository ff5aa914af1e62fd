import { errorPayload } from '@signalbox/core/payload'
import { type Failure, payloadLimit } from '../invoker.ts'
import { tooLongName } from '../result/serialize-result.ts'
import { errorTypes } from './remote-failure.ts'

/** An invocation that failed. */
interface FailedCall {
  readonly requestId: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Returns the payload that describes a failure in the words of AWS Lambda. This is the reverse of `remoteFailure`. */
export function failurePayload({ kind, message }: Failure, payload: string, call: FailedCall): string {
  if (kind === 'timeout') return inWords(errorTypes.timeout![0]!, timeoutMessage(message, call) ?? message)
  if (kind === 'crash') return exitPayload(message, call.requestId)
  if (kind === 'unloadable') return inWords(errorTypes.unloadable![0]!, message)
  return message.startsWith(`${tooLongName}: `)
    ? inWords(
        'Function.ResponseSizeTooLarge',
        `Response payload size exceeded maximum allowed payload size (${payloadLimit} bytes).`,
      )
    : payload
}

/**
 * Returns the sentence of AWS Lambda for a function that was stopped at its deadline, which clients also get in the log.
 * Returns undefined for any other message, such as that of another service.
 */
export function timeoutMessage(message: string, { requestId, now }: FailedCall): string | undefined {
  const [, granted] = / timed out after ([\d.]+) ms$/.exec(message) ?? []
  if (granted === undefined) return undefined
  const seconds = (Number(granted) / 1000).toFixed(2)
  return `${new Date(now).toISOString()} ${requestId} Task timed out after ${seconds} seconds`
}

/** The names of signals in the messages of AWS Lambda. */
const signals: { readonly [name: string]: string } = {
  SIGABRT: 'aborted',
  SIGBUS: 'bus error',
  SIGFPE: 'floating point exception',
  SIGHUP: 'hangup',
  SIGILL: 'illegal instruction',
  SIGINT: 'interrupt',
  SIGKILL: 'killed',
  SIGSEGV: 'segmentation fault',
  SIGTERM: 'terminated',
}

function exitPayload(message: string, requestId: string): string {
  // The function ran elsewhere, and its own service has described the failure.
  if (message.startsWith('RequestId: ')) return inWords(errorTypes.crash![0]!, message)
  const isOutOfMemory = / ran out of memory: \d+ MB$/.test(message)
  const why = isOutOfMemory ? 'Runtime exited with error: signal: killed' : exitReason(message)
  return inWords(errorTypes.crash![isOutOfMemory ? 1 : 0]!, `RequestId: ${requestId} Error: ${why}`)
}

function exitReason(message: string): string {
  const [, code] = / exited with code (\d+)$/.exec(message) ?? []
  if (code === '0') return 'Runtime exited without providing a reason'
  if (code !== undefined) return `Runtime exited with error: exit status ${code}`
  const [, signal] = / was killed by (SIG\w+)$/.exec(message) ?? []
  return signal === undefined ? message : `Runtime exited with error: signal: ${signals[signal] ?? signal}`
}

function inWords(name: string, message: string): string {
  return errorPayload(Object.assign(new Error(message), { name }))
}
