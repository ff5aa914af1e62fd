import { manualClock } from '@signalbox/core/testing'
import type { NewInvocationLogEntry } from '../entry.ts'
import type { InvocationLogOptions } from '../invocation-log.ts'

export const day = 24 * 60 * 60 * 1000

/** A successful invocation without secrets. */
export const loggedEntry: NewInvocationLogEntry = {
  requestId: 'r-1',
  functionName: 'shop',
  source: 'load balancer web',
  family: 'load-balancer',
  attempt: 1,
  generation: 1,
  started: 0,
  duration: 3,
  event: '{"path":"/"}',
  payload: '{"statusCode":200}',
  failure: undefined,
  verdict: { kind: 'answered', ok: true, text: '200 OK' },
  logs: [],
}

/** Returns options for an invocation log, which a test can override. */
export function logOptions({
  size = 1e6,
  age = 7 * day,
  ...rest
}: Partial<InvocationLogOptions> & {
  readonly size?: number
  readonly age?: number
} = {}): InvocationLogOptions {
  return { limits: { size, age }, clock: manualClock(), notice: () => {}, ...rest }
}

/** Returns an entry of a little more than 1000 bytes. */
export const kilobyte = (more: Partial<NewInvocationLogEntry> = {}) => ({
  ...loggedEntry,
  event: JSON.stringify('x'.repeat(1000)),
  ...more,
})
