import type { IncomingMessage } from 'node:http'
import {
  type Access,
  type AccessProblem,
  type Identity,
  requestClaim,
} from '@signalbox/platform-runtime/access'
import { InvokeError, rateExceeded } from './invoke-error.ts'

/** A client whose key is known. The body of its request might not have arrived yet. */
export interface Caller {
  /**
   * Checks the client's signature and its right over the function.
   * @param right `invoke`, or a right over its executions
   * @param queue a queue over which the client needs the right `administer`, too
   * @throws InvokeError for a wrong signature, and for an identity without these rights
   */
  readonly authorize: (body: Uint8Array, functionName: string, right?: FunctionRight, queue?: string) => void
}

export type FunctionRight = 'invoke' | 'read' | 'stop' | 'callback'

/**
 * Identifies the client of a request, by AWS Signature Version 4 or by the header `Authorization: Bearer ID.SECRET`.
 * @param resourceName returns the ARN of a function
 * @throws InvokeError for a request without a valid key
 */
export function callerOf(
  access: Access,
  request: IncomingMessage,
  resourceName: (functionName: string) => string,
  operation = 'InvokeFunction',
): Caller {
  const address = request.socket.remoteAddress ?? ''
  const note = (identity: string | undefined, resource: string | undefined, result: string) =>
    access.log.add({
      identity,
      source: 'functions',
      operation: operation.replace('InvokeFunction', 'Invoke'),
      resource,
      result,
      address,
    })
  const refuse = ({ problem, message }: AccessProblem): never => {
    note(undefined, undefined, problem)
    throw new InvokeError(
      problem === 'Throttled' ? 'TooManyRequestsException' : `${problem}Exception`,
      message,
    )
  }
  const found = requestClaim(access, request, 'lambda')
  const claim = 'problem' in found ? refuse(found) : found
  return {
    authorize(body, functionName, right = 'invoke', queue = undefined) {
      const proved: Identity | AccessProblem = 'verify' in claim ? claim.verify(body) : claim
      const identity = 'problem' in proved ? refuse(proved) : proved
      const seconds = identity.admit(body.byteLength)
      if (seconds > 0) {
        note(identity.name, functionName, 'Throttled')
        throw rateExceeded(seconds)
      }
      const mayCall = identity.may('functions', right, functionName)
      const isAllowed = mayCall && (queue === undefined || identity.may('queues', 'administer', queue))
      note(identity.name, functionName, isAllowed ? 'allowed' : 'denied')
      if (isAllowed) return
      const missing = mayCall ? `administer the queue ${queue}` : rightNames[right]
      throw new InvokeError(
        'AccessDeniedException',
        `User: ${identity.name} is not authorized to perform: lambda:${operation} on resource: ${resourceName(functionName)} because the identity has no right to ${missing}.`,
      )
    },
  }
}

/** What the rights allow, for refusals. */
const rightNames: { readonly [right in FunctionRight]: string } = {
  invoke: 'invoke it',
  read: 'read it and its executions',
  stop: 'stop its executions',
  callback: 'end its callbacks',
}
