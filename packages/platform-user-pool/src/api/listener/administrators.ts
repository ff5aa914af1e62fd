import type { IncomingMessage } from 'node:http'
import {
  type Access,
  type AccessProblem,
  type Identity,
  unmetDemand,
} from '@signalbox/platform-runtime/access'
import { outsideRefusal, servesWithoutKey } from '@signalbox/platform-runtime/listener'
import { type AccessKey, verifySignature } from '@signalbox/platform-runtime/signature'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { ListenerSettings } from '../../config/user-pools-part.ts'
import { poolRights } from '../../config/user-pools-part.ts'
import type { Engine } from '../../engine.ts'
import { rateExceeded, UserPoolError } from '../../user-pool-error.ts'
import type { Operation } from '../operations/operation.ts'
import { poolResource } from '../operations/pool-resource.ts'

/** A request for an administrative operation, before its body has arrived. */
export interface AdministratorRequest {
  /**
   * Refuses a request when its sender lacks a required right. The returned `mayKnow` decides which pools the response
   * may reveal.
   * @throws UserPoolError
   */
  readonly authorize: (
    engine: Engine,
    operation: Operation,
    name: string,
    body: Uint8Array,
    input: object,
  ) => { readonly mayKnow: (pool: PoolSettings) => boolean }
}

/**
 * Checks the headers of an administrative request, so that the body of an unauthorized request is never read.
 * @param key the administrators' access key. Without `key` and `access`, administrative operations accept the calls that
 * `servesWithoutKey` allows.
 * @throws UserPoolError for a request from a web page, and for a client without administrative rights
 */
export function administratorRequest(
  request: IncomingMessage,
  access: Access | undefined,
  { admin: key, open }: Pick<ListenerSettings, 'admin' | 'open'>,
): AdministratorRequest {
  const { headers } = request
  if (headers.origin !== undefined)
    throw new UserPoolError(
      'AccessDeniedException',
      'Web pages may not use operations that need credentials.',
    )
  if (access !== undefined) return signedRequest(request, access)
  if (key === undefined && !servesWithoutKey(request, open))
    throw new UserPoolError('AccessDeniedException', outsideRefusal)
  return {
    authorize({ clock }, _operation, _name, body) {
      if (key !== undefined) refuseUnsigned(request, body, key, clock.wall())
      return { mayKnow: () => true }
    },
  }
}

function signedRequest({ method = '', url = '/', rawHeaders, socket }: IncomingMessage, access: Access) {
  const address = socket.remoteAddress ?? ''
  const note = (
    identity: string | undefined,
    operation: string,
    resource: string | undefined,
    result: string,
  ) => access.log.add({ identity, source: 'userPools', operation, resource, result, address })
  const refuse = (found: AccessProblem, operation: string): never => {
    note(undefined, operation, undefined, found.problem)
    throw signatureError(found)
  }
  const signed = access.signed({ method, target: url, headers: rawHeaders }, signingService, address)
  const claim = 'problem' in signed ? refuse(signed, '') : signed
  return {
    authorize(engine: Engine, operation: Operation, name: string, body: Uint8Array, input: object) {
      const verified = claim.verify(body)
      const identity: Identity = 'problem' in verified ? refuse(verified, name) : verified
      const seconds = identity.admit(body.byteLength)
      if (seconds > 0) {
        note(identity.name, name, undefined, 'Throttled')
        throw rateExceeded(seconds)
      }
      const demands = operation.demands(engine, input)
      const unmet = unmetDemand(identity, poolRights.collection, demands)
      const resource = (unmet ?? demands[0])?.resource
      note(identity.name, name, resource, unmet === undefined ? 'allowed' : 'denied')
      if (unmet !== undefined)
        throw new UserPoolError(
          'AccessDeniedException',
          `User: ${identity.name} is not authorized to perform: ${signingService}:${name} on resource: ${unmet.resource} because the identity has no right to ${unmet.rights.join(' or ')} there.`,
        )
      return {
        mayKnow: ({ id }: PoolSettings) =>
          identity.may(poolRights.collection, 'administer', poolResource(engine, id)),
      }
    },
  }
}

/**
 * Checks an administrator's signature.
 * @throws UserPoolError for a request that is not signed with the administrators' key
 */
function refuseUnsigned(
  { method = '', url = '/', rawHeaders }: IncomingMessage,
  body: Uint8Array,
  key: AccessKey,
  now: number,
): void {
  const checked = verifySignature(
    { method, target: url, headers: rawHeaders, body },
    {
      secretOf: id => (id === key.accessKeyId ? key.secretAccessKey : undefined),
      service: signingService,
      now,
    },
  )
  if ('problem' in checked) throw signatureError(checked)
}

function signatureError({ problem, message }: AccessProblem): UserPoolError {
  if (problem === 'Throttled') return new UserPoolError('TooManyRequestsException', message)
  // SDK clients have no separate error type for an expired presigned URL.
  const type = problem === 'RequestExpired' ? 'InvalidSignature' : problem
  return new UserPoolError(`${type}Exception`, message)
}

/** The service name in request signatures. */
export const signingService = 'cognito-idp'
