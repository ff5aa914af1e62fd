import { methods } from '@signalbox/load-balancer/contract'
import { type PlainResponse, plainResponse } from './plain-response.ts'

/** The answer for a method that the contract does not name. */
export function unsupportedMethod(method: string): PlainResponse {
  return plainResponse(405, `The method ${method} is not supported`, [['allow', methods.join(', ')]])
}
