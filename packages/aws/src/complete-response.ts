import { isObject } from './translation/shape.ts'

/**
 * A load-balancer response with the two fields that AWS lets be missing and the contract does not (contract D,
 * output): `statusDescription` and `isBase64Encoded`. What plugins answer has them; what a middleware answers
 * early may not. Anything that is no response stays as it is, for the load balancer to refuse.
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
  // Asked for only here, so that no function pays for loading it.
  const { STATUS_CODES } = process.getBuiltinModule('node:http')
  return `${status} ${STATUS_CODES[status] ?? 'Unknown'}`
}
