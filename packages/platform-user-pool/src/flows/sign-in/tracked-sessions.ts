import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext } from '../../context/engine-context.ts'
import type { Change, Credential, User } from '../../store/user-pool-store.ts'
import type { Grant } from '../../tokens/issue-tokens.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { invalidParameter } from '../../users/attributes.ts'

/** What is stored about a session in a pool that tracks sessions. Times are milliseconds since the epoch. */
interface SessionState {
  readonly client: string
  readonly created: number
  /** The time of the latest refresh. */
  readonly active: number
  /** The name and version of the SDK that was active last. */
  readonly agent: string
  readonly address?: string | undefined
  /** The stored id of the browser session from which the tokens came. */
  readonly browser?: string | undefined
  readonly isNarrow?: boolean
}

/** A session of a user, as the user and administrators see it. */
export interface TrackedSession extends SessionState {
  /** 28 lower-case letters and digits. The id is derived from the stored one, and gives no access. */
  readonly id: string
  readonly type: 'TOKEN' | 'SSO'
  readonly stored: Pick<Credential, 'kind' | 'id'>
}

type Context = Pick<EngineContext, 'store' | 'vault' | 'clock'>

/** Returns what the store keeps about a new or refreshed grant. */
export function grantValue(caller: ClientCaller, grant: Grant, now: number): string {
  const narrow = grant.isNarrow === true && { isNarrow: true }
  if (caller.pool.sessions === undefined)
    return narrow ? JSON.stringify({ client: caller.client.id, ...narrow }) : caller.client.id
  return JSON.stringify({
    ...activity(caller),
    created: grant.created ?? grant.authTime,
    active: now,
    ...(grant.browser !== undefined && { browser: grant.browser }),
    ...narrow,
  } satisfies SessionState)
}

/** Returns what the store keeps about a session of the hosted pages. */
export function browserSessionValue(caller: ClientCaller, authTime: number): string {
  return JSON.stringify({ authTime, ...(caller.pool.sessions !== undefined && activity(caller)) })
}

/** Returns which client of which program acts, from where. */
export function activity({
  client,
  sdk,
  address,
}: ClientCaller): Pick<SessionState, 'client' | 'agent' | 'address'> {
  // Every browser calls itself Mozilla, so that the name says nothing.
  const agent = /^(?:Mozilla|aws-sdk-unknown)-/.test(sdk) ? 'unknown' : sdk
  return { client: client.id, agent, ...(address !== undefined && { address }) }
}

/**
 * Lists the sessions of a user that have begun or were refreshed since the pool has tracked sessions: the token
 * sessions, and the sessions of browsers at the hosted pages. The most recently used comes first.
 * @throws UserPoolError when the pool does not track sessions
 */
export async function sessionsOfUser(
  { store, vault, clock }: Context,
  pool: PoolSettings,
  user: Pick<User, 'id'>,
): Promise<readonly TrackedSession[]> {
  if (pool.sessions === undefined)
    throw new UserPoolError(
      'OperationNotEnabledException',
      'Session tracking is not enabled for the user pool.',
    )
  const now = clock.now()
  const shownId = (prefix: string, id: string) => prefix + letters(vault.derive(id, `session ${pool.id}`, 25))
  const tokens = (await store.credentialsOf(pool.id, user.id, 'grant', now)).flatMap(
    ({ kind, id, value }) => {
      const state = stateOf(value)
      if (state?.active === undefined) return []
      return [{ ...state, id: shownId('tkn', id), type: 'TOKEN' as const, stored: { kind, id } }]
    },
  )
  const browsers = (await store.credentialsOf(pool.id, user.id, 'session', now)).flatMap(
    ({ kind, id, value }) => {
      const state = stateOf(value)
      if (state?.authTime === undefined || state.client === undefined) return []
      const { authTime: created, client, agent, address } = state
      const active = Math.max(created, ...tokens.filter(each => each.browser === id).map(each => each.active))
      const shown = { client, agent, address, created, active }
      return [{ ...shown, id: shownId('sso', id), type: 'SSO' as const, stored: { kind, id } }]
    },
  )
  return [...tokens, ...browsers].sort(byLatest)
}

/** Returns the shown id of a browser session that a token session came from, if the browser is still signed in. */
export function originOf({ browser }: TrackedSession, all: readonly TrackedSession[]): string | undefined {
  return browser === undefined ? undefined : all.find(({ stored }) => stored.id === browser)?.id
}

/**
 * Ends one session of a user, so that its tokens are refused from now on.
 * @param isLinked whether to end its browser session, or the token sessions that came from it, too
 * @param current the grant of the token that asks. The session of this grant cannot be named.
 * @throws UserPoolError for a session that the user does not have, and for the current one
 */
export async function revokeSession(
  engine: Context,
  pool: PoolSettings,
  user: Pick<User, 'id'>,
  id: string,
  isLinked: boolean,
  current?: string,
): Promise<void> {
  const all = await sessionsOfUser(engine, pool, user)
  const found = all.find(each => each.id === id)
  if (found === undefined) throw new UserPoolError('ResourceNotFoundException', 'Session does not exist.')
  if (found.type === 'TOKEN' && found.stored.id === current)
    throw invalidParameter('The current session cannot be revoked.')
  const linked = all.filter(each => each.browser === found.stored.id || each.stored.id === found.browser)
  const ends = [found, ...(isLinked ? linked : [])].map(({ stored }) => stored)
  await engine.store.change({ pool: pool.id, now: engine.clock.now(), ends })
  if (!isLinked || found.type !== 'SSO') return
  // A code may have been exchanged since the list was read. From now on, codes of the ended session give no tokens.
  const late = (await sessionsOfUser(engine, pool, user)).filter(each => each.browser === found.stored.id)
  if (late.length === 0) return
  const lateEnds = late.map(({ stored }) => stored)
  await engine.store.change({ pool: pool.id, now: engine.clock.now(), ends: lateEnds })
}

/**
 * Ends the token sessions of a user that are more than the pool allows, the least recently used first. Platforms that
 * do this at the same time choose the same ones.
 */
export async function evictSessions(
  engine: Context,
  pool: PoolSettings,
  user: Pick<User, 'id'>,
): Promise<void> {
  if (pool.sessions === undefined) return
  const tokens = (await sessionsOfUser(engine, pool, user)).filter(({ type }) => type === 'TOKEN')
  const ends = tokens.slice(pool.sessions.most).map(({ stored }) => stored)
  if (ends.length > 0) await engine.store.change({ pool: pool.id, now: engine.clock.now(), ends })
}

/** Returns what ends a grant, and the browser session that its tokens came from. */
export function linkedEnds(grant: Grant): NonNullable<Change['ends']> {
  const ends = [{ kind: 'grant' as const, id: grant.id }]
  return grant.browser === undefined ? ends : [...ends, { kind: 'session', id: grant.browser }]
}

/** Returns the stored state of a session. Undefined for grants from before, and for other credentials. */
function stateOf(value: string): (SessionState & { readonly authTime?: number }) | undefined {
  return value.startsWith('{') ? JSON.parse(value) : undefined
}

function byLatest(one: TrackedSession, other: TrackedSession): number {
  return other.active - one.active || other.created - one.created || (one.id < other.id ? -1 : 1)
}

const base36 = '0123456789abcdefghijklmnopqrstuvwxyz'

function letters(bytes: Uint8Array): string {
  return Array.from(bytes, byte => base36[byte % base36.length]).join('')
}
