import type { ClientSettings, PoolSettings } from '../../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext } from '../../context/engine-context.ts'
import type { ServerHalf } from '../../srp/exchange.ts'
import type { Change, Credential, User } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'

/** A challenge and its result, as in trigger events. */
export interface Round {
  readonly challengeName: string
  readonly challengeResult: boolean
  readonly challengeMetadata: string | null
}

/** The progress of a sign-in so far. */
export interface Progress {
  /** The key of the device that the client claims to run on. */
  readonly device?: string | undefined
  readonly isDeviceProved?: boolean
  readonly isFactorProved?: boolean
  readonly isNewPassword?: boolean
  /** The challenges of a custom authentication so far. */
  readonly rounds?: readonly Round[] | undefined
}

/** The state between a challenge and its answer. */
export type SessionState = (
  | { readonly challenge: 'NEW_PASSWORD_REQUIRED' }
  | { readonly challenge: 'SOFTWARE_TOKEN_MFA' }
  | { readonly challenge: 'SELECT_MFA_TYPE' }
  | { readonly challenge: 'SELECT_CHALLENGE' }
  | { readonly challenge: 'DEVICE_SRP_AUTH' }
  /** `code` is the digest of the code that was sent. Undefined for an unknown user, to whom nothing was sent. */
  | {
      readonly challenge: 'SMS_MFA' | 'SMS_OTP' | 'EMAIL_OTP'
      readonly code: string | undefined
      /** Whether the code is a second factor. */
      readonly isSecond: boolean
    }
  | {
      readonly challenge: 'WEB_AUTHN'
      /** The challenge that the passkey has to sign, in base64url. */
      readonly signed: string
      /** Whether the passkey has to count as both factors. */
      readonly isBoth: boolean
    }
  | { readonly challenge: 'MFA_SETUP'; readonly secret?: string; readonly isVerified?: boolean }
  | {
      readonly challenge: 'DEVICE_PASSWORD_VERIFIER'
      readonly half: ServerHalf
      readonly A: string
      readonly block: string
    }
  | {
      readonly challenge: 'CUSTOM_CHALLENGE'
      readonly rounds: readonly Round[]
      readonly privateParameters: { readonly [name: string]: string }
      readonly metadata: string | null
    }
) & {
  readonly client: string
  /** The `sub` of the account. Undefined for an unknown user name. */
  readonly user: string | undefined
  /** The user name as the client sent it. */
  readonly sentName: string
  readonly progress?: Progress
  /** Whether the session belongs to a sign-in on a hosted page, which ends without tokens. */
  readonly isHosted?: boolean
}

/** A new session: the handle for the client, and the stored form. */
export interface NewSession {
  readonly handle: string
  readonly credential: Credential
}

export function newSession(
  { vault, random, clock }: EngineContext,
  { pool, client, isHosted = false }: ClientCaller,
  state: SessionState,
  existingHandle?: string,
): NewSession {
  const expires = clock.now() + client.sessionLife
  const handle = existingHandle ?? newHandle(pool, expires, random)
  const id = vault.digest(handle, `session ${pool.id}`)
  return {
    handle,
    credential: {
      kind: 'session',
      id,
      user: state.user ?? '',
      expires,
      value: vault.encrypt(JSON.stringify({ ...state, isHosted }), `session ${pool.id} ${id}`),
    },
  }
}

/**
 * Returns a new handle. It contains the pool id, because requests for some operations name no client, and the time when
 * the session ends, because the store forgets sessions that have ended.
 */
function newHandle({ id }: PoolSettings, expires: number, random: EngineContext['random']): string {
  return `${id}.${Math.floor(expires).toString(36)}.${Buffer.from(random(48)).toString('base64url')}`
}

/** Returns whether the session of a handle has ended, as far as its client says the truth about it. */
function hasEnded(handle: string, now: number): boolean {
  const [, expires = ''] = handle.split('.', 2)
  return Number.parseInt(expires, 36) <= now
}

/** An existing session, which must be used up in the same change that it allows. */
export interface FoundSession<C extends SessionState['challenge']> {
  readonly state: Extract<SessionState, { readonly challenge: C }>
  readonly use: NonNullable<Change['uses']>[number]
}

/**
 * Finds the session of a sign-in.
 * @throws UserPoolError for a session that was already used, has ended, or belongs to another client or challenge
 */
export async function findSession<C extends SessionState['challenge']>(
  { store, vault, clock }: EngineContext,
  { pool, client, isHosted }: ClientCaller,
  challenge: C,
  handle: string | undefined,
): Promise<FoundSession<C>> {
  return findSessionOf({ store, vault, clock }, pool, challenge, handle, client, isHosted)
}

/**
 * Finds a session for operations that do not name a client.
 * @throws UserPoolError for a session that was already used or has ended
 */
export async function findSessionOf<C extends SessionState['challenge']>(
  { store, vault, clock }: Pick<EngineContext, 'store' | 'vault' | 'clock'>,
  pool: PoolSettings,
  challenge: C,
  handle: string | undefined,
  client?: ClientSettings,
  isHosted = false,
): Promise<FoundSession<C>> {
  if (handle === undefined)
    throw new UserPoolError('InvalidParameterException', 'Missing required parameter Session')
  const id = vault.digest(handle, `session ${pool.id}`)
  const found = await store.credential(pool.id, 'session', id, clock.now())
  const text = found && vault.decrypt(found.value, `session ${pool.id} ${id}`)
  if (found === undefined || text === undefined)
    throw hasEnded(handle, clock.now()) ? expiredSession() : usedSession()
  const state = JSON.parse(text) as SessionState
  if ((client !== undefined && state.client !== client.id) || state.challenge !== challenge)
    throw usedSession()
  // A sign-in that began on a hosted page must not continue in the API, nor the other way round.
  if ((state.isHosted ?? false) !== isHosted) throw usedSession()
  return { state: state as FoundSession<C>['state'], use: { kind: 'session', id, value: found.value } }
}

/** Returns the latest open sessions of a pool: the states of sign-ins that wait for answers. */
export async function openSessions(
  { store, vault, clock }: Pick<EngineContext, 'store' | 'vault' | 'clock'>,
  pool: Pick<PoolSettings, 'id'>,
  most: number,
): Promise<readonly { readonly state: SessionState; readonly expires: number }[]> {
  const found = await store.latestCredentials(pool.id, 'session', clock.now(), most)
  return found.flatMap(({ id, value, expires }) => {
    // The note that an answer is being checked has no state.
    const text = value === '' ? undefined : vault.decrypt(value, `session ${pool.id} ${id}`)
    return text === undefined ? [] : [{ state: JSON.parse(text) as SessionState, expires }]
  })
}

/**
 * Returns the pool that a session handle names. The caller must look the session up there.
 * @throws UserPoolError for an unknown pool
 */
export function poolOfSession(pools: readonly PoolSettings[], handle: string): PoolSettings {
  const pool = pools.find(({ id }) => handle.startsWith(`${id}.`))
  if (pool === undefined) throw usedSession()
  return pool
}

/**
 * Checks the answers to a session one at a time. Otherwise, many simultaneous guesses could be checked before the first
 * one uses up the session.
 * @throws UserPoolError while another answer is being checked
 */
export async function answeringAlone<T>(
  { answering }: EngineContext,
  { use }: { readonly use: { readonly id: string } },
  check: () => Promise<T>,
): Promise<T> {
  if (answering.has(use.id)) throw usedSession()
  answering.add(use.id)
  try {
    return await check()
  } finally {
    answering.delete(use.id)
  }
}

/**
 * Checks one answer to a session at a time, also if several platforms on the same database get answers. The note in the
 * store that an answer is being checked ends with the check, or with the session if the platform dies meanwhile.
 * @throws UserPoolError while another answer is being checked, by any platform
 */
export async function answeringAloneEverywhere<T>(
  { store, clock }: EngineContext,
  { pool, client }: ClientCaller,
  { state, use }: { readonly state: Pick<SessionState, 'user'>; readonly use: { readonly id: string } },
  check: () => Promise<T>,
): Promise<T> {
  const note = { kind: 'session', id: `answering ${use.id}` } as const
  const now = clock.now()
  const expires = now + client.sessionLife
  const taken = { ...note, user: state.user ?? '', expires, value: '' }
  const refusal = await store.change({
    pool: pool.id,
    now,
    needs: [{ kind: 'session', id: use.id }],
    adds: [taken],
  })
  if (refusal !== undefined) throw usedSession()
  try {
    return await check()
  } finally {
    await store.change({ pool: pool.id, now: clock.now(), ends: [note] })
  }
}

function expiredSession(): UserPoolError {
  return new UserPoolError('NotAuthorizedException', 'Invalid session for the user, session is expired.')
}

export function usedSession(): UserPoolError {
  return new UserPoolError(
    'NotAuthorizedException',
    'Invalid session for the user, session can only be used once.',
  )
}

/**
 * Returns the `ends` entry of a change for all sessions and consents of an account. They end because they could rely on the
 * password that the change replaces, which another person could have known.
 */
export function sessionsOf({ id }: Pick<User, 'id'>): NonNullable<Change['ends']>[number] {
  return { user: id, kinds: ['session', 'consent'] }
}
