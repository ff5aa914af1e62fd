import { InvalidResponseError } from '@signalbox/core'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { requestLine } from '../contract/request-line.ts'

/**
 * Returns the error for a reply that cannot be serialized. It names the method and the path of the request, but not its
 * query.
 */
export function invalidReply(
  event: LoadBalancerEvent,
  pointer: string,
  expected: string,
  actual: string,
): InvalidResponseError {
  return new InvalidResponseError(requestLine(event), [{ pointer, expected, actual }])
}
