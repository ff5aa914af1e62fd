import { errorPayload, readPayload } from '@signalbox/core/payload'
import type { Failure, LogLine } from '../invoker.ts'

/**
 * The error types that AWS Lambda uses for some kinds of failures. When the platform reports a failure of that kind, it
 * sends the first type. See `failurePayload`.
 */
export const errorTypes: { readonly [K in Failure['kind']]?: readonly string[] } = {
  timeout: ['Sandbox.Timedout'],
  crash: ['Runtime.ExitError', 'Runtime.OutOfMemory'],
  unloadable: [
    'Runtime.ImportModuleError',
    'Runtime.UserCodeSyntaxError',
    'Runtime.HandlerNotFound',
    'Runtime.MalformedHandlerName',
  ],
}

/**
 * Returns the failure that a payload in the error format of AWS Lambda describes, and the payload in the form that
 * verdicts expect.
 */
export function remoteFailure(payload: string): { readonly payload: string; readonly failure: Failure } {
  const read = readPayload(payload)
  if (read.kind !== 'error') {
    const message = 'the function failed, and its payload describes no error'
    return { payload: errorPayload(new Error(message)), failure: { kind: 'threw', message } }
  }
  const { errorType, errorMessage } = read
  const special = Object.entries(errorTypes).find(([, types]) => types.includes(errorType))
  if (special !== undefined)
    return { payload, failure: { kind: special[0] as Failure['kind'], message: errorMessage } }
  return { payload, failure: { kind: 'threw', message: `${errorType}: ${errorMessage}` } }
}

/** Returns the lines of a base64-encoded log, such as the value of the header `X-Amz-Log-Result`. */
export function remoteLog(log: string | undefined): readonly LogLine[] {
  if (log === undefined) return []
  const text = Buffer.from(log, 'base64').toString().replace(/\n$/, '')
  return text === '' ? [] : text.split('\n').map(line => ({ stream: 'out', text: line }))
}
