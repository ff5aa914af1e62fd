import type { Clock } from '@signalbox/core'
import type { LimitsConfig } from '../fields/limits.ts'
import { clientNetwork } from '../listener/client-network.ts'
import { type BucketSize, type TokenBuckets, tokenBuckets } from '../listener/token-buckets.ts'
import { usageLimits } from '../listener/usage-limits.ts'
import { isSame } from '../secrets/vault.ts'
import type { SignableHead, SignedBody } from '../signature/canonical-request.ts'
import type { SignatureProblem } from '../signature/signature-problem.ts'
import { type AccessKey, type SignatureClaim, signatureClaim } from '../signature/signature-v4.ts'
import { signingKeys } from '../signature/signing-keys.ts'
import type { AccessLog } from './access-record.ts'
import type { BucketSharing } from './bucket-sharing.ts'
import { type AccessSettings, operatorName } from './identities.ts'
import type { KeyStore } from './key-store.ts'
import { type Demand, hasRight, type MayDo, rightsCheck } from './rights.ts'

/** A person or a program that has proved who it is. */
export interface Identity {
  readonly name: string
  /** Returns whether the identity has a right over a resource. `*` names all resources. */
  readonly may: MayDo
  /** Returns whether the identity has a right over any resource of a collection. */
  readonly has: (collection: string, right: string) => boolean
  /**
   * Counts a request and its size. Returns 0 if the request can be served. Otherwise returns the number of seconds that
   * the identity has to wait before its next attempt.
   */
  readonly admit: (bytes: number) => number
  /** Counts bytes that arrived after their request was admitted. */
  readonly useBytes: (bytes: number) => void
}

/** A signed request whose key is known. Its body may not have arrived yet. */
export interface SignedRequest extends Pick<SignatureClaim, 'signature' | 'chunkSignature'> {
  /** Returns the identity if the signature is valid for this body. */
  readonly verify: (body: SignedBody) => Identity | AccessProblem
}

/** The reason why a client is not authenticated. `Throttled` means that the client failed too often and has to wait. */
export type AccessProblem =
  | SignatureProblem
  | { readonly problem: 'Throttled'; readonly message: string; readonly isWrongSecret?: never }

/** Identifies clients and logs their operations. Absent if the configuration has no key `access`. */
export interface Access {
  /**
   * Finds the signer of a request with Signature Version 4, in a header or in a presigned URL.
   * @param address the address of the client, where failures are counted
   */
  readonly signed: (head: SignableHead, service: string, address: string) => SignedRequest | AccessProblem
  /**
   * Returns the identity whose key is in a header `Authorization: Bearer ID.SECRET`. Returns undefined for an invalid
   * key, and `throttled` for a client that failed too often.
   */
  readonly bearer: (authorization: string | undefined, address: string) => Identity | 'throttled' | undefined
  /**
   * Returns the identity of a key that was entered in a form. After too many failures the client has to wait, as with
   * `bearer`.
   */
  readonly signIn: (id: string, secret: string, address: string) => Identity | 'throttled' | undefined
  /** Returns the identity of a key. The client sends the key's id as the user name and its secret as the password. */
  readonly password: (id: string, secret: string) => Identity | undefined
  /**
   * Returns a key's secret and identity, for protocols that never send the secret, such as SCRAM. Returns undefined for
   * an invalid key.
   */
  readonly key: (id: string) => { readonly secret: string; readonly identity: Identity } | undefined
  /** Returns the identity with this name. Returns undefined when the configuration has no identity with this name. */
  readonly named: (name: string) => Identity | undefined
  /**
   * The token buckets that count failed authentications by network (`clientNetwork`), for protocols that check secrets
   * themselves. Clients from a network whose bucket is empty have to wait.
   */
  readonly failures: TokenBuckets
  readonly log: AccessLog
}

/** The number of failed authentications in an hour after which a client has to wait for its next attempt. */
const failuresInHour = { amount: 30, window: 60 * 60_000 }

/** Milliseconds until the usage of an identity is shared with other platforms. */
const sharingDelay = 1000

/** The answer to a client that failed too often. */
export const throttled = {
  problem: 'Throttled',
  message: 'Too many failed authentications. Try again later.',
} as const

/** The stores and the operator key of a running platform. */
export interface AccessParts {
  /**
   * Returns the keys that commands created. Returns undefined if the platform keeps its data in memory or has not
   * started yet.
   */
  readonly keys: () => KeyStore | undefined
  readonly log: AccessLog
  readonly clock: Clock
  /** Returns the key of the command line. Returns undefined before the platform has started. */
  readonly operator: () => AccessKey | undefined
  /** Creates buckets that several platforms share. By default, each process has its own buckets. */
  readonly share?: BucketSharing['share'] | undefined
}

export function makeAccess(
  { identities }: AccessSettings,
  { keys: stored, log, clock, operator, share = (_, size) => tokenBuckets(size, clock) }: AccessParts,
): Access {
  const byName = new Map<string, Identity>(
    identities.map(({ name, rights, limits }) => [
      name,
      {
        ...{ name, may: rightsCheck(rights) },
        has: (collection, right) => hasRight(rights, collection, right),
        ...limited(name, limits, clock, share),
      },
    ]),
  )
  byName.set(operatorName, { name: operatorName, may: () => true, has: () => true, ...unlimited })
  const configured = new Map(
    identities.flatMap(({ name, keys }) =>
      keys.map(
        ({ accessKeyId, secretAccessKey }) =>
          [accessKeyId, { secret: secretAccessKey, identity: byName.get(name)! }] as const,
      ),
    ),
  )
  const derived = signingKeys()
  const failures = share('failed authentications', failuresInHour, 0)

  const key: Access['key'] = id => {
    const own = configured.get(id)
    if (own !== undefined) return own
    const command = operator()
    if (id === command?.accessKeyId)
      return { secret: command.secretAccessKey, identity: byName.get(operatorName)! }
    const valid = stored()?.valid(id)
    const identity = valid && byName.get(valid.identity)
    return identity && { secret: valid.secret, identity }
  }

  const password: Access['password'] = (id, secret) => {
    const found = key(id)
    return found !== undefined && isSame(found.secret, secret) ? found.identity : undefined
  }

  return {
    signed(head, service, address) {
      const network = clientNetwork(address)
      let identity: Identity | undefined
      const secretOf = (id: string) => {
        const found = key(id)
        identity = found?.identity
        return found?.secret
      }
      const claim = signatureClaim(head, { secretOf, service, now: clock.wall(), keys: derived })
      if ('problem' in claim) {
        if (claim.problem !== 'UnrecognizedClient') return claim
        if (failures.delay(network) > 0) return throttled
        failures.take(network)
        return claim
      }
      const guesser = guesserOf(network, claim.accessKeyId)
      if (failures.delay(guesser) > 0) return throttled
      return {
        signature: claim.signature,
        chunkSignature: claim.chunkSignature,
        verify(body) {
          // Checks again, so that parallel requests get no more attempts than sequential ones.
          if (failures.delay(guesser) > 0) return throttled
          const signer = claim.verify(body)
          if (!('problem' in signer)) return identity!
          if (signer.isWrongSecret) failures.take(guesser)
          return signer
        },
      }
    },
    bearer(authorization = '', address) {
      const network = clientNetwork(address)
      const [, token = ''] = /^Bearer +(\S{1,1024}) *$/i.exec(authorization) ?? []
      // Both the id and the secret can contain dots.
      const parts = token.split('.').slice(0, dotsLimit + 1)
      let known: string | undefined
      for (let end = 1; end < parts.length; end++) {
        const id = parts.slice(0, end).join('.')
        const found = key(id)
        if (found === undefined) continue
        known = id
        if (failures.delay(guesserOf(network, id)) > 0) return 'throttled'
        if (isSame(found.secret, token.slice(id.length + 1))) return found.identity
      }
      if (token === '') return undefined
      const guesser = known === undefined ? network : guesserOf(network, known)
      if (failures.delay(guesser) > 0) return 'throttled'
      failures.take(guesser)
      return undefined
    },
    signIn(id, secret, address) {
      const network = clientNetwork(address)
      const guesser = key(id) === undefined ? network : guesserOf(network, id)
      if (failures.delay(guesser) > 0) return 'throttled'
      const identity = password(id, secret)
      if (identity === undefined) failures.take(guesser)
      return identity
    },
    failures,
    password,
    key,
    named: name => byName.get(name),
    log,
  }
}

/** Returns the limits of one identity. */
function limited(
  name: string,
  limits: LimitsConfig | undefined,
  clock: Clock,
  share: BucketSharing['share'],
): Pick<Identity, 'admit' | 'useBytes'> {
  if (limits === undefined) return unlimited
  const buckets = (size: BucketSize, unit: string) => share(`${unit} of ${name}`, size, sharingDelay)
  const usage = usageLimits(limits, clock, buckets)
  const useBytes = (bytes: number) => usage.useBytes('', bytes)
  return {
    admit(bytes) {
      const delay = usage.delay('')
      if (delay > 0) return Math.ceil(delay / 1000)
      usage.useRequest('')
      useBytes(bytes)
      return 0
    },
    useBytes,
  }
}

const unlimited = { admit: () => 0, useBytes: () => {} }

/**
 * Returns the name under which wrong secrets for an existing key are counted. Other keys stay usable from the same
 * network, so that a program with an outdated secret does not lock out other programs.
 */
function guesserOf(network: string, id: string): string {
  return `${network} ${id}`
}

/** The maximum number of dots in an id of a bearer token. */
const dotsLimit = 8

/**
 * Returns the first demand that an identity does not meet, or undefined when it has all necessary rights.
 * @param collection the collection of demands that name none
 */
export function unmetDemand(
  identity: Identity,
  collection: string,
  demands: readonly Demand[],
): Demand | undefined {
  return demands.find(
    ({ rights, resource, collection: of = collection }) =>
      !rights.some(right => identity.may(of, right, resource)),
  )
}
