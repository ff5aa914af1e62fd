import { randomUuid } from '@signalbox/platform-runtime'
import type { ClientSettings, PoolSettings } from '../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext } from '../context/engine-context.ts'
import { newRefreshToken } from '../flows/sign-in/refresh-tokens.ts'
import { evictSessions } from '../flows/sign-in/tracked-sessions.ts'
import type { Credential, User } from '../store/user-pool-store.ts'
import { type Grant, issueTokens, type Tokens } from '../tokens/issue-tokens.ts'
import { mayContinue } from './browser-sessions.ts'
import { OAuthError } from './oauth-error.ts'

const minute = 60_000
/** How many milliseconds a user has to enter the code of a device. */
const life = 10 * minute
/** How many milliseconds later the store forgets it, so that the device learns why it gets nothing. */
const remembered = 10 * minute
/** How many milliseconds a device waits between two questions, and how many it waits longer after each that is too early. */
const interval = 5000
/** How many devices can ask in an hour for one network address, and for a pool. */
const mostPerAddress = 60
const mostPerPool = 3000
/** How many codes can be entered in an hour at one network address. */
const mostEntries = 20

/** What a device asks for. */
export interface DeviceRequest {
  readonly scopes: readonly string[]
  readonly resource: string | undefined
}

/** The stored state of a device that waits for its user. */
interface DeviceState extends DeviceRequest {
  /** The id of the client. */
  readonly client: string
  readonly userCode: string
  /** The time when the user's time is over. */
  readonly ends: number
  /** The time of the last question, and how long the device has to wait after it. */
  readonly asked?: number
  readonly interval: number
  /** The answer of the user. */
  readonly answer?: { readonly user: string; readonly authTime: number } | 'refused'
}

/** A device that waits for its user, as pages know it. */
export interface WaitingDevice extends DeviceRequest {
  readonly client: string
  readonly userCode: string
  readonly stored: Credential
}

type Context = Pick<EngineContext, 'store' | 'vault' | 'clock' | 'random'>
type Name = 'device code' | 'user code' | 'visit'

/** Returns the stored id of a secret. The kinds of secrets do not mix. */
function idOf(
  { vault }: Pick<EngineContext, 'vault'>,
  { id }: PoolSettings,
  name: Name,
  secret: string,
): string {
  return vault.digest(secret, `${name} ${id}`)
}

/** Returns whether a client of the pool can use the device flow. */
export function hasDevices({ clients }: PoolSettings): boolean {
  return clients.some(({ oauth }) => oauth.grants.includes('device_code'))
}

/**
 * Begins the sign-in of a device, and returns its codes (RFC 8628, 3.2).
 * @param page the address of the page on which the user enters the code
 * @throws OAuthError when there are too many
 */
export async function startDevice(
  engine: Context,
  { pool, client, address }: ClientCaller,
  { scopes, resource }: DeviceRequest,
  page: string,
): Promise<object> {
  const { store, vault, clock, random } = engine
  const now = clock.now()
  const counts = (key: string, most: number) => store.count(pool.id, key, { most, window: 60 * minute }, now)
  const digest = address && vault.digest(address, `devices ${pool.id}`)
  if (
    (digest !== undefined && !(await counts(`devices ${digest}`, mostPerAddress))) ||
    !(await counts('devices', mostPerPool))
  )
    throw new OAuthError('temporarily_unavailable', 'Too many devices have asked. Try again later.')
  const secret = () => Buffer.from(random(32)).toString('base64url')
  const [deviceCode, visit, userCode] = [secret(), secret(), newUserCode(random)]
  const id = idOf(engine, pool, 'device code', deviceCode)
  const state: DeviceState = { client: client.id, scopes, resource, userCode, ends: now + life, interval }
  const stored = (name: Name, code: string, value: string, expires: number): Credential => ({
    ...{ kind: 'session', id: idOf(engine, pool, name, code), user: '', expires, value },
  })
  await store.change({
    pool: pool.id,
    now,
    adds: [
      stored('device code', deviceCode, JSON.stringify(state), now + life + remembered),
      stored('user code', userCode, vault.encrypt(visit, `visit ${pool.id}`), now + life),
      stored('visit', visit, id, now + life),
    ],
  })
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: life / 1000,
    interval: interval / 1000,
  }
}

/** Letters that are hard to confuse and spell no words (RFC 8628, 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'

/** Returns a code of eight letters, of which there are 20⁸. */
function newUserCode(random: EngineContext['random']): string {
  let code = ''
  while (code.length < 8) {
    // A byte above the last multiple would make some letters more probable.
    for (const byte of random(16)) if (byte < 240 && code.length < 8) code += letters[byte % letters.length]
  }
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/**
 * Returns the handle of the pages for a code that a user has entered. Returns undefined for an unknown or expired code.
 * @param address the network address of the user, which can enter few codes in an hour
 * @throws OAuthError when there were too many
 */
export async function enteredCode(
  engine: Context,
  pool: PoolSettings,
  entered: string,
  address: string | undefined,
): Promise<string | undefined> {
  const { store, vault, clock } = engine
  const now = clock.now()
  const key = `user codes ${vault.digest(address ?? '', `user codes ${pool.id}`)}`
  if (!(await store.count(pool.id, key, { most: mostEntries, window: 60 * minute }, now)))
    throw new OAuthError('temporarily_unavailable', 'Too many codes were entered. Try again later.')
  const plain = entered.toUpperCase().replaceAll(/[^A-Z]/g, '')
  const id = idOf(engine, pool, 'user code', `${plain.slice(0, 4)}-${plain.slice(4)}`)
  const found = await store.credential(pool.id, 'session', id, now)
  return found && vault.decrypt(found.value, `visit ${pool.id}`)
}

/** Returns the device for a handle, as long as its user has not answered. */
export async function waitingDevice(
  engine: Pick<EngineContext, 'store' | 'vault' | 'clock'>,
  pool: PoolSettings,
  handle: string,
): Promise<WaitingDevice | undefined> {
  const { store, clock } = engine
  const now = clock.now()
  const pointer = await store.credential(pool.id, 'session', idOf(engine, pool, 'visit', handle), now)
  const stored = pointer && (await store.credential(pool.id, 'session', pointer.value, now))
  if (stored === undefined) return undefined
  const { answer, ends, client, userCode, scopes, resource } = JSON.parse(stored.value) as DeviceState
  if (answer !== undefined || ends <= now) return undefined
  return { client, userCode, scopes, resource, stored }
}

/**
 * Stores the answer of a user about a device. Returns false if the device does not wait any longer.
 * @param session the session of the user who allows it, or undefined if the user refuses
 */
export async function answerDevice(
  engine: Pick<EngineContext, 'store' | 'vault' | 'clock'>,
  pool: PoolSettings,
  handle: string,
  session: { readonly user: Pick<User, 'id'>; readonly authTime: number } | undefined,
): Promise<boolean> {
  const found = await waitingDevice(engine, pool, handle)
  if (found === undefined) return false
  const { stored } = found
  const answer: DeviceState['answer'] =
    session === undefined ? 'refused' : { user: session.user.id, authTime: session.authTime }
  const state: DeviceState = { ...(JSON.parse(stored.value) as DeviceState), answer }
  const { kind, id, value } = stored
  // As a session of the account, the answer ends with every other sign-in of the account.
  const put = { ...stored, user: session?.user.id ?? '', value: JSON.stringify(state) }
  const now = engine.clock.now()
  const visit = { kind, id: idOf(engine, pool, 'visit', handle) }
  const refusal = await engine.store.change({
    pool: pool.id,
    now,
    uses: [{ kind, id, value }, visit],
    puts: [put],
  })
  // A question of the device in the meantime has changed the state, and not the answer.
  return refusal === undefined || answerDevice(engine, pool, handle, session)
}

/**
 * Answers a device that asks for its tokens (RFC 8628, 3.5).
 * @throws OAuthError as long as the user has not allowed it, when the device asks too often, and for an unknown code
 */
export async function redeemDeviceCode(
  engine: EngineContext,
  caller: ClientCaller,
  deviceCode: string,
): Promise<{ readonly tokens: Tokens; readonly refreshToken: string }> {
  const { store, clock, random } = engine
  const { pool, client } = caller
  const now = clock.now()
  const found = await store.credential(pool.id, 'session', idOf(engine, pool, 'device code', deviceCode), now)
  const state = found && (JSON.parse(found.value) as DeviceState)
  if (found === undefined || state === undefined || state.client !== client.id) throw invalid()
  const { kind, id, value } = found
  const uses = [{ kind, id, value }]
  if (state.answer === undefined) {
    if (state.ends <= now) throw new OAuthError('expired_token', 'The user has not entered the code in time.')
    const isEarly = state.asked !== undefined && Math.abs(now - state.asked) < state.interval
    const next: DeviceState = { ...state, asked: now, interval: state.interval + (isEarly ? interval : 0) }
    const puts = [{ ...found, value: JSON.stringify(next) }]
    const refusal = await store.change({ pool: pool.id, now, uses, puts })
    // Another question at the same time, or the answer of the user, came first.
    if (refusal !== undefined) return redeemDeviceCode(engine, caller, deviceCode)
    throw isEarly
      ? new OAuthError('slow_down', 'The device asks too often.')
      : new OAuthError('authorization_pending', 'The user has not entered the code yet.')
  }
  if (state.answer === 'refused') {
    await store.change({ pool: pool.id, now, uses })
    throw new OAuthError('access_denied', 'The user has refused.')
  }
  const { authTime } = state.answer
  const user = await store.user(pool.id, state.answer.user)
  if (user === undefined || !mayContinue(user, now)) throw invalid()
  const { scopes, resource } = state
  const grant: Grant = {
    ...{ id: randomUuid(random), client: client.id, authTime, scopes, isHosted: true, isNarrow: true },
    ...(pool.sessions !== undefined && { created: now }),
    ...(resource !== undefined && { resource }),
  }
  const tokens = await issueTokens(engine, caller, user, grant, 'TokenGeneration_HostedAuth', {})
  const refresh = newRefreshToken(engine, caller, user, grant)
  const adds = [refresh.grant, refresh.credential]
  const refusal = await store.change({ pool: pool.id, now: clock.now(), uses, adds })
  if (refusal !== undefined) throw invalid()
  await evictSessions(engine, pool, user)
  return { tokens, refreshToken: refresh.token }
}

function invalid(): OAuthError {
  return new OAuthError('invalid_grant', 'The device code is not valid.')
}

/** Refuses a client that must not use the device flow. */
export function refuseWithoutDevices({ oauth }: ClientSettings): void {
  if (oauth.grants.includes('device_code')) return
  throw new OAuthError('unauthorized_client', 'The client must not use the device flow.')
}
