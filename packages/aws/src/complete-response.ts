import { isObject } from './translation/shape.ts'

/**
 * Completes a load-balancer response with the two fields that AWS allows to be missing and the contract requires:
 * `statusDescription` and `isBase64Encoded` (docs/contract/load-balancer.md). The responses of plugins have them; the
 * response of a middleware that responds early may not. A value that is not a response stays unchanged.
 */
export function completeResponse(response: unknown): unknown {
  if (!isObject(response) || !Number.isInteger(response.statusCode)) return response
  const describes = response.statusDescription != null
  const encodes = response.isBase64Encoded != null
  if (describes && encodes) return response
  const completed = { ...response }
  if (!describes) completed.statusDescription = description(response.statusCode as number)
  if (!encodes) completed.isBase64Encoded = false
  return completed
}

function description(status: number): string {
  // Loaded on use, so that other functions do not load it.
  const { STATUS_CODES } = process.getBuiltinModule('node:http')
  return `${status} ${STATUS_CODES[status] ?? 'Unknown'}`
}
