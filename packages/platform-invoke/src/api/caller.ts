import type { IncomingMessage } from 'node:http'
import type { Access, AccessProblem, Identity } from '@signalbox/platform-runtime/access'
import { InvokeError, rateExceeded } from './invoke-error.ts'

/** A client whose key is known. The body of its request might not have arrived yet. */
export interface Caller {
  /**
   * Checks the client's signature and its right to invoke the function.
   * @throws InvokeError for a wrong signature, and for an identity without the right to invoke this function
   */
  readonly authorize: (body: Uint8Array, functionName: string) => void
}

/**
 * Identifies the client of a request, by AWS Signature Version 4 or by the header `Authorization: Bearer ID.SECRET`.
 * @param resourceName returns the ARN of a function
 * @throws InvokeError for a request without a valid key
 */
export function callerOf(
  access: Access,
  { method = '', url = '', headers, rawHeaders, socket }: IncomingMessage,
  resourceName: (functionName: string) => string,
): Caller {
  const address = socket.remoteAddress ?? ''
  const note = (identity: string | undefined, resource: string | undefined, result: string) =>
    access.log.add({ identity, source: 'functions', operation: 'Invoke', resource, result, address })
  const refuse = ({ problem, message }: AccessProblem): never => {
    note(undefined, undefined, problem)
    throw new InvokeError(
      problem === 'Throttled' ? 'TooManyRequestsException' : `${problem}Exception`,
      message,
    )
  }
  const found = /^Bearer /i.test(headers.authorization ?? '')
    ? (access.bearer(headers.authorization, address) ?? wrongToken)
    : access.signed({ method, target: url, headers: rawHeaders }, 'lambda', address)
  const signed = found === 'throttled' ? throttled : found
  const claim = 'problem' in signed ? refuse(signed) : signed
  return {
    authorize(body, functionName) {
      const proved: Identity | AccessProblem = 'verify' in claim ? claim.verify(body) : claim
      const identity = 'problem' in proved ? refuse(proved) : proved
      const seconds = identity.admit(body.byteLength)
      if (seconds > 0) {
        note(identity.name, functionName, 'Throttled')
        throw rateExceeded(seconds)
      }
      const isAllowed = identity.may('functions', 'invoke', functionName)
      note(identity.name, functionName, isAllowed ? 'allowed' : 'denied')
      if (isAllowed) return
      throw new InvokeError(
        'AccessDeniedException',
        `User: ${identity.name} is not authorized to perform: lambda:InvokeFunction on resource: ${resourceName(functionName)} because the identity has no right to invoke it.`,
      )
    },
  }
}

const wrongToken: AccessProblem = {
  problem: 'UnrecognizedClient',
  message: 'The key in the Authorization header does not exist, or its secret is wrong.',
}

const throttled: AccessProblem = {
  problem: 'Throttled',
  message: 'Too many failed authentications. Try again later.',
}
