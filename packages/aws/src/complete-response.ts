import { isObject } from './translation/shape.ts'

/**
 * Adds to a load-balancer response the two fields that the contract requires but AWS does not: `statusDescription` and
 * `isBase64Encoded` (docs/contract/load-balancer.md). Responses of plugins have these fields, but the early response of
 * a middleware may lack them. A field that is null has a wrong type, and stays. A value that is not a response stays
 * unchanged.
 */
export function completeResponse(response: unknown): unknown {
  if (!isObject(response) || !Number.isInteger(response.statusCode)) return response
  const describes = response.statusDescription !== undefined
  const encodes = response.isBase64Encoded !== undefined
  if (describes && encodes) return response
  const completed = { ...response }
  if (!describes) completed.statusDescription = description(response.statusCode as number)
  if (!encodes) completed.isBase64Encoded = false
  return completed
}

function description(status: number): string {
  // The module is loaded here, so that only functions that need it load it.
  const { STATUS_CODES } = process.getBuiltinModule('node:http')
  return `${status} ${STATUS_CODES[status] ?? 'Unknown'}`
}
