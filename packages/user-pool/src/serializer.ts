import { InvalidResponseError, type Middleware, named, type Request } from '@signalbox/core'
import { knownSource, returnedProblems } from './contract/index.ts'

/**
 * The middleware that holds what goes back against the contract: the answer's fields, and the rules that depend on
 * the event, such as the code that a message must contain.
 *
 * Its hook throws InvalidResponseError, named after the trigger source, and then nothing is sent.
 */
export function userPoolSerializer(): Middleware {
  return { name: 'user-pool-serializer', after: named('user-pool-serializer', serialize) }
}

function serialize(request: Request): void {
  const known = knownSource((request.event as { readonly triggerSource?: unknown }).triggerSource)
  if (known === undefined) return
  const wrong = returnedProblems(known, request.response, request.event)
  if (wrong.length > 0) throw new InvalidResponseError(known.source, wrong)
}
