import type { IncomingMessage } from 'node:http'
import type { Location } from '@signalbox/platform-runtime'
import {
  type Access,
  type AccessProblem,
  type Identity,
  unmetDemand,
} from '@signalbox/platform-runtime/access'
import { queueRights } from '../config/queue-rights.ts'
import { sqsResourceName } from '../resource-name.ts'
import { ProtocolError, rateExceeded } from '../wire/wire-error.ts'
import { demandsOf } from './operations/demands.ts'
import type { Operation } from './operations/inputs.ts'

/** The service name in request signatures. */
const signingService = 'sqs'

/** Returns whether an identity has any right over a queue, and may learn that the queue exists. */
export function knows(identity: Identity, queue: string): boolean {
  return queueRights.names.some(right => identity.may(queueRights.collection, right, queue))
}

/**
 * Reads the signature of a request before its body arrives.
 * @throws ProtocolError for a request without a valid key
 */
export function signedBy(access: Access, { method = '', url = '', rawHeaders, socket }: IncomingMessage) {
  const address = socket.remoteAddress ?? ''
  const note = (
    identity: string | undefined,
    operation: string,
    resource: string | undefined,
    result: string,
  ) => access.log.add({ identity, source: 'queues', operation, resource, result, address })
  const refuse = ({ problem, message }: AccessProblem, operation: string): never => {
    note(undefined, operation, undefined, problem)
    throw new ProtocolError(problem, message)
  }
  const signed = access.signed({ method, target: url, headers: rawHeaders }, signingService, address)
  const request = 'problem' in signed ? refuse(signed, '') : signed
  return {
    /** Checks a signature. @throws ProtocolError if the signature does not match these bytes */
    identityOf(body: Uint8Array, operation: string): Identity {
      const identity = request.verify(body)
      if ('problem' in identity) return refuse(identity, operation)
      const seconds = identity.admit(body.byteLength)
      if (seconds === 0) return identity
      note(identity.name, operation, undefined, 'Throttled')
      throw rateExceeded(seconds)
    },
    /** @throws ProtocolError if the identity lacks a right that the operation needs */
    authorize(identity: Identity, operation: Operation, input: object, location: Location): void {
      const demanded = demandsOf(operation, input)
      const unmet = unmetDemand(identity, queueRights.collection, demanded)
      const resource = (unmet ?? demanded[0])?.resource
      note(identity.name, operation, resource, unmet === undefined ? 'allowed' : 'denied')
      if (unmet === undefined) return
      const action = `sqs:${operation.toLowerCase()}`
      throw new ProtocolError(
        'Forbidden',
        `User: ${identity.name} is not authorized to perform: ${action} on resource: ${sqsResourceName(unmet.resource, location)} because the identity has no right to ${unmet.rights.join(' or ')} there.`,
      )
    },
  }
}

/**
 * Returns the access key id in the Authorization header or the URL. Without authentication, the id is not checked.
 */
export function senderOf({ headers, url = '' }: IncomingMessage): string {
  const signature = headers.authorization ?? url
  return /(?:Credential|AWSAccessKeyId)=([A-Za-z0-9]{1,128})/.exec(signature)?.[1] ?? 'anonymous'
}
