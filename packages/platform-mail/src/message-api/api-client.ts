import type { ControlRequest } from '@signalbox/platform-runtime'
import {
  type AccessProblem,
  type Identity,
  requestClaim,
  type SignedRequest,
} from '@signalbox/platform-runtime/access'
import { outsideRefusal, servesWithoutKey } from '@signalbox/platform-runtime/listener'
import type { SignedBody } from '@signalbox/platform-runtime/signature'
import { type ErrorCode, RefusedRequest } from './api-error.ts'

/** An operation of a client. */
export interface ClientOperation {
  readonly name: string
  /** The name of the service in signatures. */
  readonly service: string
  /** The right over mail that it needs. */
  readonly right: 'read' | 'change'
  /** What the access log names, such as `messages/ID`. */
  readonly resource: string
  /** Returns whether the token of a function is enough. */
  readonly isFor: (functionName: string) => boolean
  /** The error for each reason to refuse a client. */
  readonly errors: { readonly [reason in AccessProblem['problem'] | 'denied']: ErrorCode }
}

/** A client whose key is known. The body of its request might not have arrived yet. */
export interface ApiClient {
  /** The function whose token the client has. Undefined for all other clients. */
  readonly functionName: string | undefined
  /** The signature of the request's head, for clients that sign. */
  readonly signed: Pick<SignedRequest, 'signature' | 'chunkSignature'> | undefined
  /**
   * Checks the client's signature and its right. Returns its name, which is empty without `access`.
   * @param bytes the size of the body
   * @throws RefusedRequest for a wrong signature, without the right, and beyond the limits of the identity
   */
  readonly authorize: (body: SignedBody, bytes: number) => string
}

/**
 * Identifies the client of a request, by AWS Signature Version 4, by the header `Authorization: Bearer ID.SECRET`, or by the
 * token of a function.
 * @throws RefusedRequest for a request without a valid key
 */
export function apiClient(
  { request, access, tokens, open }: ControlRequest,
  { name: operation, service, right, resource, isFor, errors }: ClientOperation,
): ApiClient {
  const { headers, socket } = request
  if (access === undefined) {
    if (!servesWithoutKey(request, open)) throw new RefusedRequest(errors.denied, outsideRefusal)
    return { functionName: undefined, signed: undefined, authorize: () => '' }
  }
  const address = socket.remoteAddress ?? ''
  const note = (identity: string | undefined, result: string) =>
    access.log.add({
      ...{ identity, source: 'control', operation, result, address },
      resource: identity === undefined ? undefined : resource,
    })
  const refuse = ({ problem, message }: AccessProblem): never => {
    note(undefined, problem)
    throw new RefusedRequest(errors[problem], message)
  }
  const conclude = (name: string, isAllowed: boolean) => {
    note(name, isAllowed ? 'allowed' : 'denied')
    if (isAllowed) return name
    const why = `User: ${name} is not authorized to perform: ${service}:${operation} on resource: ${resource}`
    throw new RefusedRequest(errors.denied, `${why} because the identity has no right to ${right} it.`)
  }

  const functionName = tokens?.functionOf(headers.authorization)
  if (functionName !== undefined) {
    const name = `function ${functionName}`
    return { functionName, signed: undefined, authorize: () => conclude(name, isFor(functionName)) }
  }
  const found = requestClaim(access, request, service)
  const claim = 'problem' in found ? refuse(found) : found
  const check = (body: SignedBody): Identity => {
    const proved = 'verify' in claim ? claim.verify(body) : claim
    return 'problem' in proved ? refuse(proved) : proved
  }
  return {
    functionName: undefined,
    signed: 'verify' in claim ? claim : undefined,
    authorize(body, bytes) {
      const identity = check(body)
      const seconds = identity.admit(bytes)
      if (seconds > 0) {
        note(identity.name, 'Throttled')
        throw new RefusedRequest(errors.Throttled, `Try again after ${seconds} seconds.`, seconds)
      }
      return conclude(identity.name, identity.may('mail', right, '*'))
    },
  }
}
