import type { Change, Credential, User } from '../store/user-pool-store.ts'
import { UserPoolError } from '../user-pool-error.ts'
import type { ClientCaller, EngineContext } from './engine-context.ts'

/** One challenge and its result, in the form for triggers. */
export interface Round {
  readonly challengeName: string
  readonly challengeResult: boolean
  readonly challengeMetadata: string | null
}

/** The state between a challenge and its answer. */
export type SessionState = (
  | { readonly challenge: 'NEW_PASSWORD_REQUIRED' }
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
  /** The name that the client sent for the user. */
  readonly given: string
}

/** A new session: the handle for the client, and the stored form. */
export interface NewSession {
  readonly handle: string
  readonly credential: Credential
}

export function newSession(
  { vault, random, clock }: EngineContext,
  { pool, client }: ClientCaller,
  state: SessionState,
): NewSession {
  const handle = Buffer.from(random(48)).toString('base64url')
  const id = vault.digest(handle, `session ${pool.id}`)
  return {
    handle,
    credential: {
      kind: 'session',
      id,
      user: state.user ?? '',
      expires: clock.now() + client.sessionLife,
      value: vault.seal(JSON.stringify(state), `session ${pool.id} ${id}`),
    },
  }
}

/** An existing session. The change that relies on it must use it up. */
export interface FoundSession<C extends SessionState['challenge']> {
  readonly state: Extract<SessionState, { readonly challenge: C }>
  readonly use: NonNullable<Change['uses']>[number]
}

/** @throws UserPoolError for a session that was used, has ended, or belongs to something else */
export async function findSession<C extends SessionState['challenge']>(
  { store, vault, clock }: EngineContext,
  { pool, client }: ClientCaller,
  challenge: C,
  handle: string | undefined,
): Promise<FoundSession<C>> {
  if (handle === undefined)
    throw new UserPoolError('InvalidParameterException', 'Missing required parameter Session')
  const id = vault.digest(handle, `session ${pool.id}`)
  const found = await store.credential(pool.id, 'session', id, clock.now())
  const text = found && vault.open(found.value, `session ${pool.id} ${id}`)
  if (found === undefined || text === undefined) throw usedSession()
  const state = JSON.parse(text) as SessionState
  if (state.client !== client.id || state.challenge !== challenge) throw usedSession()
  return { state: state as FoundSession<C>['state'], use: { kind: 'session', id, value: found.value } }
}

export function usedSession(): UserPoolError {
  return new UserPoolError(
    'NotAuthorizedException',
    'Invalid session for the user, session can only be used once.',
  )
}

/** The sessions of an account, as what ends in a change: what they have proved may have been a password that is gone. */
export function sessionsOf({ id }: Pick<User, 'id'>): NonNullable<Change['ends']>[number] {
  return { user: id, kinds: ['session'] }
}
