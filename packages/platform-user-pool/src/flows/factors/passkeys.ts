import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext, FlowCaller } from '../../context/engine-context.ts'
import type { Credential, User } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { invalidParameter } from '../../users/attributes.ts'
import { apply } from '../apply.ts'
import {
  type ClientData,
  clientDataOf,
  isOriginOf,
  type RegistrationResponse,
  relyingPartyOf,
  webAuthn,
  withoutAttestation,
} from './web-authn.ts'

/** A passkey of a user. */
export interface Passkey {
  /** The id in Base64url, as clients send it. */
  readonly id: string
  /** The public key in COSE format, in base64url. */
  readonly publicKey: string
  /** The authenticator's signature count when the passkey was last used. 0 for authenticators that do not count. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly attachment: string | undefined
  readonly relyingParty: string
  /** The time in milliseconds since the epoch. */
  readonly created: number
}

/** A passkey with the credential that stores it. */
export interface FoundPasskey {
  readonly passkey: Passkey
  readonly credential: Credential
}

type Context = Pick<EngineContext, 'store' | 'vault' | 'clock'>

/** The maximum number of passkeys per user. */
const most = 20
/** How many milliseconds users have to respond to the browser's passkey prompt. */
export const passkeyTimeLimit = 5 * 60_000
/** The expiry of passkeys, which are valid until they are deleted. */
const never = Number.MAX_SAFE_INTEGER

/** Returns the encryption context of a passkey, which makes the passkey unreadable for other accounts. */
function about(pool: PoolSettings, user: string, id: string): string {
  return `passkey ${pool.id} ${user} ${id}`
}

export function passkeyCredential(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: PoolSettings,
  user: string,
  passkey: Passkey,
): Credential {
  const value = vault.encrypt(JSON.stringify(passkey), about(pool, user, passkey.id))
  return { kind: 'passkey', id: passkey.id, user, expires: never, value }
}

/** Returns a stored passkey, or undefined if it was encrypted with another key or for another account. */
export function openedPasskey(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: PoolSettings,
  credential: Credential,
): FoundPasskey | undefined {
  const text = vault.decrypt(credential.value, about(pool, credential.user, credential.id))
  return text === undefined ? undefined : { passkey: JSON.parse(text) as Passkey, credential }
}

/** Returns the passkeys of an account, with the oldest first. */
export async function passkeysOf(
  engine: Context,
  pool: PoolSettings,
  { id }: Pick<User, 'id'>,
): Promise<readonly Passkey[]> {
  const all = await engine.store.credentialsOf(pool.id, id, 'passkey', engine.clock.now())
  return all
    .flatMap(each => openedPasskey(engine, pool, each)?.passkey ?? [])
    .sort((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1))
}

/** Returns a passkey of an account, or undefined for an unknown id. */
export async function passkeyOf(
  engine: Context,
  pool: PoolSettings,
  { id: user }: Pick<User, 'id'>,
  id: string,
): Promise<FoundPasskey | undefined> {
  const credential = await engine.store.credential(pool.id, 'passkey', id, engine.clock.now())
  return credential?.user === user ? openedPasskey(engine, pool, credential) : undefined
}

/** The challenge that the next new passkey of an account has to sign, and the client that requested it. */
interface Pending {
  readonly challenge: string
  readonly client: string
}

function pendingId({ id }: Pick<User, 'id'>): string {
  return `passkey ${id}`
}

/**
 * Starts the registration of a passkey for a signed-in user. Returns the JSON options for
 * `navigator.credentials.create()`. Options from earlier calls become invalid.
 * @param client the id of the client that the user is signed in with
 * @throws UserPoolError when the pool does not support passkeys, and when the user has too many
 */
export async function startPasskey(
  engine: EngineContext,
  { pool }: FlowCaller,
  user: Pick<User, 'id' | 'name' | 'status'>,
  client: string,
): Promise<object> {
  refuseWithoutPasskeys(pool)
  // With a passkey, the user could still sign in after the provider has removed the user.
  if (user.status === 'EXTERNAL_PROVIDER')
    throw invalidParameter('Users of another identity provider have no passkeys here.')
  const before = await passkeysOf(engine, pool, user)
  if (before.length >= most)
    throw new UserPoolError('LimitExceededException', `A user has ${most} passkeys at most.`)
  const { generateRegistrationOptions } = await webAuthn()
  const options = await generateRegistrationOptions({
    rpName: pool.name,
    rpID: relyingPartyOf(engine, pool),
    userID: Uint8Array.from(Buffer.from(user.id)),
    userName: user.name,
    userDisplayName: user.name,
    challenge: Uint8Array.from(engine.random(32)),
    timeout: passkeyTimeLimit,
    attestationType: 'none',
    excludeCredentials: before.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: 'required', userVerification: pool.passkeys.userVerification },
  })
  const now = engine.clock.now()
  const pending: Pending = { challenge: options.challenge, client }
  await apply(engine, {
    pool: pool.id,
    now,
    puts: [
      {
        kind: 'code',
        id: pendingId(user),
        user: user.id,
        expires: now + passkeyTimeLimit,
        value: JSON.stringify(pending),
      },
    ],
  })
  return options
}

/**
 * Adds the passkey that an authenticator made. Even an invalid answer uses up the challenge.
 * @param client the id of the client that the user is signed in with
 * @throws UserPoolError for an invalid answer, and for an answer to a different challenge, from a different site or
 * from a different client
 */
export async function completePasskey(
  engine: EngineContext,
  { pool }: FlowCaller,
  user: Pick<User, 'id'>,
  client: string,
  response: RegistrationResponse,
): Promise<void> {
  refuseWithoutPasskeys(pool)
  const { store, clock } = engine
  const now = clock.now()
  const found = await store.credential(pool.id, 'code', pendingId(user), now)
  if (found === undefined)
    throw new UserPoolError('WebAuthnChallengeNotFoundException', 'No passkey was asked for.')
  const { challenge, client: asking } = JSON.parse(found.value) as Pending
  if (asking !== client)
    throw new UserPoolError('WebAuthnClientMismatchException', 'Another client asked for the passkey.')
  const uses = [{ kind: found.kind, id: found.id, value: found.value }]
  let passkey: Passkey
  try {
    passkey = await registered(engine, pool, challenge, response)
  } catch (error) {
    await apply(engine, { pool: pool.id, now, uses })
    throw error
  }
  const refusal = await store.change({
    pool: pool.id,
    now,
    uses,
    adds: [passkeyCredential(engine, pool, user.id, passkey)],
  })
  if (refusal !== undefined) throw invalidParameter('The passkey is there already.')
}

async function registered(
  engine: EngineContext,
  pool: PoolSettings,
  challenge: string,
  response: RegistrationResponse,
): Promise<Passkey> {
  const relyingParty = relyingPartyOf(engine, pool)
  const origin = originOf(clientDataOf(response.response.clientDataJSON), relyingParty)
  const { verifyRegistrationResponse } = await webAuthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: await withoutAttestation(response),
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: relyingParty,
    requireUserVerification: pool.passkeys.userVerification === 'required',
  }).catch(error => {
    throw new UserPoolError('WebAuthnCredentialNotSupportedException', 'The passkey could not be verified.', {
      cause: error,
    })
  })
  if (registrationInfo === undefined) throw invalidParameter('The passkey could not be verified.')
  const { id, publicKey, counter } = registrationInfo.credential
  return {
    id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: response.response.transports ?? [],
    attachment: response.authenticatorAttachment,
    relyingParty,
    created: engine.clock.now(),
  }
}

/**
 * Returns the origin of a page if it may use a relying party's passkeys.
 * @throws UserPoolError for a page of another site, and for a page in a frame on another site
 */
export function originOf({ origin, crossOrigin }: ClientData, relyingParty: string): string {
  if (crossOrigin !== true && isOriginOf(origin, relyingParty)) return origin
  throw new UserPoolError(
    'WebAuthnOriginNotAllowedException',
    'The page is not of the relying party that the pool has passkeys for.',
  )
}

/**
 * Deletes a passkey of an account.
 * @throws UserPoolError when the account has no passkey with this id
 */
export async function deletePasskey(
  engine: Context,
  pool: PoolSettings,
  user: Pick<User, 'id'>,
  id: string,
): Promise<void> {
  const found = await passkeyOf(engine, pool, user, id)
  if (found === undefined)
    throw new UserPoolError('ResourceNotFoundException', 'The user has no such passkey.')
  await apply(engine, { pool: pool.id, now: engine.clock.now(), ends: [{ kind: 'passkey', id }] })
}

function refuseWithoutPasskeys({ firstFactors }: PoolSettings): void {
  if (firstFactors.includes('passkey')) return
  throw new UserPoolError('WebAuthnNotEnabledException', 'The user pool has no passkeys.')
}
