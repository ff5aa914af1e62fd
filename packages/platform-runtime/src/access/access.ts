import type { Clock } from '@signalbox/core'
import { isSame } from '../secrets/vault.ts'
import {
  type AccessKey,
  type SignableHead,
  type SignatureProblem,
  signatureClaim,
} from '../signature/signature-v4.ts'
import { signingKeys } from '../signature/signing-keys.ts'
import type { AccessLog } from './access-log.ts'
import { type AccessSettings, operatorName } from './access-settings.ts'
import type { KeyStore } from './key-store.ts'
import { type Demand, type MayDo, rightsCheck } from './rights.ts'

/** A person or a program that has proved who it is. */
export interface Identity {
  readonly name: string
  /** Whether it has a right over a resource. `*` names all resources. */
  readonly may: MayDo
}

/** A signed request whose key is known and whose body may not have arrived. */
export interface SignedRequest {
  /** The identity, when the signature is right for these bytes. */
  readonly verify: (body: Uint8Array) => Identity | SignatureProblem
}

/** Identifies clients, and logs what they do. Undefined for a platform without the key `access`. */
export interface Access {
  /** Reads who signed a request by Signature Version 4, in a header or in a presigned URL. */
  readonly signed: (head: SignableHead, service: string) => SignedRequest | SignatureProblem
  /** The identity of a header `Authorization: Bearer ID.SECRET`. Undefined for an invalid key. */
  readonly bearer: (authorization: string | undefined) => Identity | undefined
  /** The identity of a key whose id is given as the user name, and its secret as the password. */
  readonly password: (id: string, secret: string) => Identity | undefined
  /** A key's secret and identity, for protocols that never send the secret, such as SCRAM. Undefined for an invalid key. */
  readonly key: (id: string) => { readonly secret: string; readonly identity: Identity } | undefined
  /** The identity with this name. Undefined when the configuration has no such identity. */
  readonly named: (name: string) => Identity | undefined
  readonly log: AccessLog
}

/** The stores and the key of a running platform. */
export interface AccessParts {
  /** The keys that commands created. Undefined for a platform that keeps its data in memory. */
  readonly store: KeyStore | undefined
  readonly log: AccessLog
  readonly clock: Clock
  /** The key of the command line. Undefined before the platform has started. */
  readonly operator: () => AccessKey | undefined
}

export function makeAccess(
  { identities }: AccessSettings,
  { store, log, clock, operator }: AccessParts,
): Access {
  const byName = new Map<string, Identity>(
    identities.map(({ name, rights }) => [name, { name, may: rightsCheck(rights) }]),
  )
  byName.set(operatorName, { name: operatorName, may: () => true })
  const configured = new Map(
    identities.flatMap(({ name, keys }) =>
      keys.map(
        ({ accessKeyId, secretAccessKey }) =>
          [accessKeyId, { secret: secretAccessKey, identity: byName.get(name)! }] as const,
      ),
    ),
  )
  const derived = signingKeys()

  const key: Access['key'] = id => {
    const own = configured.get(id)
    if (own !== undefined) return own
    const command = operator()
    if (id === command?.accessKeyId)
      return { secret: command.secretAccessKey, identity: byName.get(operatorName)! }
    const stored = store?.valid(id)
    const identity = stored && byName.get(stored.identity)
    return identity && { secret: stored.secret, identity }
  }

  const password: Access['password'] = (id, secret) => {
    const found = key(id)
    return found !== undefined && isSame(found.secret, secret) ? found.identity : undefined
  }

  return {
    signed(head, service) {
      let identity: Identity | undefined
      const secretOf = (id: string) => {
        const found = key(id)
        identity = found?.identity
        return found?.secret
      }
      const claim = signatureClaim(head, { secretOf, service, now: clock.now(), keys: derived })
      if ('problem' in claim) return claim
      return {
        verify(body) {
          const signer = claim.verify(body)
          return 'problem' in signer ? signer : identity!
        },
      }
    },
    bearer(authorization = '') {
      const [, token = ''] = /^Bearer +(\S{1,1024}) *$/i.exec(authorization) ?? []
      // An id may have dots, and so may a secret.
      const parts = token.split('.').slice(0, dotsLimit + 1)
      for (let end = 1; end < parts.length; end++) {
        const id = parts.slice(0, end).join('.')
        const identity = password(id, token.slice(id.length + 1))
        if (identity !== undefined) return identity
      }
      return undefined
    },
    password,
    key,
    named: name => byName.get(name),
    log,
  }
}

/** The maximum number of dots in an id of a bearer token. */
const dotsLimit = 8

/** The first demand that an identity does not meet. Undefined when it may do the operation. */
export function unmetDemand(
  identity: Identity,
  collection: string,
  demands: readonly Demand[],
): Demand | undefined {
  return demands.find(
    ({ rights, resource }) => !rights.some(right => identity.may(collection, right, resource)),
  )
}
