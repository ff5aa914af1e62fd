import { errorPayload } from '@signalbox/core/payload'
import type { Failure, InvocationResult, LogLine } from '../invoker.ts'

const names: { readonly [K in Failure['kind']]: string } = {
  threw: 'Error',
  unloadable: 'Error',
  timeout: 'TimeoutError',
  crash: 'CrashError',
  unavailable: 'UnavailableError',
}

/** Returns the result of a call that failed. */
export function failedResult(
  kind: Failure['kind'],
  message: string,
  generation: number,
  logs: readonly LogLine[] = [],
): InvocationResult {
  const error = Object.assign(new Error(message), { name: names[kind] })
  return { payload: errorPayload(error), failure: { kind, message }, logs, generation }
}
