import type { IncomingMessage } from 'node:http'
import { type Access, type AccessProblem, type Identity, type SignedRequest, throttled } from './access.ts'

/**
 * Identifies the client of a request, by AWS Signature Version 4 or by the header `Authorization: Bearer ID.SECRET`. Returns the
 * identity, a signature that is checked with the body, or the reason why the client is refused.
 * @param service the name of the service in signatures
 */
export function requestClaim(
  access: Access,
  { method = '', url = '', headers, rawHeaders, socket }: IncomingMessage,
  service: string,
): Identity | SignedRequest | AccessProblem {
  const address = socket.remoteAddress ?? ''
  if (!/^Bearer /i.test(headers.authorization ?? ''))
    return access.signed({ method, target: url, headers: rawHeaders }, service, address)
  const found = access.bearer(headers.authorization, address)
  return found === 'throttled' ? throttled : (found ?? wrongToken)
}

const wrongToken: AccessProblem = {
  problem: 'UnrecognizedClient',
  message: 'The key in the Authorization header does not exist, or its secret is wrong.',
}
