import { randomUuid } from '@signalbox/platform-runtime'
import { isSame } from '@signalbox/platform-runtime/secrets'
import type { ClientSettings, PoolSettings } from '../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext } from '../context/engine-context.ts'
import { newRefreshToken } from '../flows/sign-in/refresh-tokens.ts'
import { evictSessions } from '../flows/sign-in/tracked-sessions.ts'
import type { Credential, User } from '../store/user-pool-store.ts'
import { type Grant, issueTokens, type Tokens } from '../tokens/issue-tokens.ts'
import { mayContinue } from './browser-sessions.ts'
import { OAuthError } from './oauth-error.ts'
import { grantedResource } from './resource-indicator.ts'

const minute = 60_000
const hour = 60 * minute
/** How many milliseconds a user has to enter the code of a device. */
const life = 10 * minute
/** How many milliseconds later the store forgets it, so that the device learns why it gets nothing. */
const remembered = 10 * minute
/** How many milliseconds a device waits between two questions, and how many it waits longer after each that is too early. */
const interval = 5000

/** What a device asks for. */
export interface DeviceRequest {
  readonly scopes: readonly string[]
  readonly resource: string | undefined
}

/** The stored state of a device that waits for its user. */
interface DeviceState extends DeviceRequest {
  /** The id of the client. */
  readonly client: string
  /** The code that the user enters, encrypted. */
  readonly userCode: string
  /** The time when the user's time is over. */
  readonly ends: number
  /** The time of the last question, and how long the device has to wait after it. */
  readonly asked?: number
  readonly interval: number
  /** The answer of the user. */
  readonly answer?:
    | { readonly user: string; readonly authTime: number; readonly browser?: string }
    | 'refused'
}

/** A device that waits for its user, as pages know it. */
export interface WaitingDevice extends DeviceRequest {
  readonly client: string
  readonly userCode: string
  readonly stored: Credential
}

type Context = Pick<EngineContext, 'store' | 'vault' | 'clock' | 'random'>
type Name = 'device code' | 'user code' | 'wrong codes'

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
  const { devices, devicesPerAddress } = pool.limits
  const counts = (key: string, most: number) => store.count(pool.id, key, { most, window: hour }, now)
  const digest = address && vault.digest(address, `devices ${pool.id}`)
  if (
    (digest !== undefined && !(await counts(`devices ${digest}`, devicesPerAddress))) ||
    !(await counts('devices', devices))
  )
    throw new OAuthError('temporarily_unavailable', 'Too many devices have asked. Try again later.')
  const [deviceCode, shownCode] = [Buffer.from(random(32)).toString('base64url'), newUserCode(random)]
  const id = idOf(engine, pool, 'device code', deviceCode)
  const userCode = vault.encrypt(shownCode, `user code ${id}`)
  const state: DeviceState = { client: client.id, scopes, resource, userCode, ends: now + life, interval }
  const stored = (name: Name, code: string, value: string, expires: number): Credential => ({
    ...{ kind: 'session', id: idOf(engine, pool, name, code), user: '', expires, value },
  })
  await store.change({
    pool: pool.id,
    now,
    adds: [
      stored('device code', deviceCode, JSON.stringify(state), now + life + remembered),
      stored('user code', shownCode, id, now + life),
    ],
  })
  return {
    device_code: deviceCode,
    user_code: shownCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${shownCode}`,
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
 * Returns the handle of the pages for a code that a user has entered, which only this browser can use: otherwise, a link
 * with it would lead another user to the consent. Returns undefined for an unknown or expired code.
 * @param browser the secret of the cookie in which the browser keeps that it connects devices
 * @param address the network address of the user, which can enter few wrong codes in an hour
 * @throws OAuthError when there were too many
 */
export async function enteredCode(
  engine: Context,
  pool: PoolSettings,
  entered: string,
  browser: string,
  address: string | undefined,
): Promise<string | undefined> {
  const { store, clock } = engine
  const now = clock.now()
  const closed = idOf(engine, pool, 'wrong codes', address ?? '')
  const tooMany = () =>
    new OAuthError('temporarily_unavailable', 'Too many wrong codes were entered. Try again later.')
  if ((await store.credential(pool.id, 'session', closed, now)) !== undefined) throw tooMany()
  const plain = entered.toUpperCase().replaceAll(/[^A-Z]/g, '')
  const id = idOf(engine, pool, 'user code', `${plain.slice(0, 4)}-${plain.slice(4)}`)
  const found = await store.credential(pool.id, 'session', id, now)
  if (found !== undefined) return `${found.value}.${boundTo(engine, pool, found.value, browser)}`
  const limit = { most: pool.limits.deviceCodesPerAddress, window: hour }
  if (await store.count(pool.id, `wrong codes ${closed}`, limit, now)) return undefined
  // Right codes are refused, too, so that the answer does not distinguish them.
  const puts = [{ kind: 'session', id: closed, user: '', expires: now + hour, value: '' }] as const
  await store.change({ pool: pool.id, now, puts })
  throw tooMany()
}

/** Returns the part of a handle that binds a device to a browser. */
function boundTo(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: PoolSettings,
  device: string,
  browser: string,
): string {
  return vault.digest(`${device} ${browser}`, `device handle ${pool.id}`)
}

/**
 * Returns the device for a handle, as long as its user has not answered.
 * @param browser the secret of the browser in which the code was entered
 */
export async function waitingDevice(
  engine: Pick<EngineContext, 'store' | 'vault' | 'clock'>,
  pool: PoolSettings,
  handle: string,
  browser: string | undefined,
): Promise<WaitingDevice | undefined> {
  const { store, clock, vault } = engine
  const [id = '', bound = ''] = handle.split('.')
  if (browser === undefined || !isSame(bound, boundTo(engine, pool, id, browser))) return undefined
  const now = clock.now()
  const stored = await store.credential(pool.id, 'session', id, now)
  if (stored === undefined) return undefined
  const { answer, ends, client, userCode, scopes, resource } = JSON.parse(stored.value) as DeviceState
  if (answer !== undefined || ends <= now) return undefined
  return { client, userCode: vault.decrypt(userCode, `user code ${id}`) ?? '', scopes, resource, stored }
}

/**
 * Stores the answer of a user about a device. Returns false if the device does not wait any longer.
 * @param device the handle, and the secret of the browser in which the code was entered
 * @param session the session of the user who allows it, or undefined if the user refuses
 */
export async function answerDevice(
  engine: Pick<EngineContext, 'store' | 'vault' | 'clock'>,
  pool: PoolSettings,
  device: { readonly handle: string; readonly browser: string },
  session: { readonly id: string; readonly user: Pick<User, 'id'>; readonly authTime: number } | undefined,
): Promise<boolean> {
  const found = await waitingDevice(engine, pool, device.handle, device.browser)
  if (found === undefined) return false
  const { stored } = found
  const answer: DeviceState['answer'] =
    session === undefined
      ? 'refused'
      : {
          user: session.user.id,
          authTime: session.authTime,
          // A browser session that is revoked gives no tokens for the devices that it has just allowed.
          ...(pool.sessions !== undefined && { browser: session.id }),
        }
  const state: DeviceState = { ...(JSON.parse(stored.value) as DeviceState), answer }
  const { kind, id, value } = stored
  // As a session of the account, the answer ends with every other sign-in of the account.
  const put = { ...stored, user: session?.user.id ?? '', value: JSON.stringify(state) }
  const now = engine.clock.now()
  const refusal = await engine.store.change({ pool: pool.id, now, uses: [{ kind, id, value }], puts: [put] })
  // A question of the device in the meantime has changed the state, and not the answer.
  return refusal === undefined || answerDevice(engine, pool, device, session)
}

/**
 * Answers a device that asks for its tokens (RFC 8628, 3.5).
 * @param resources the resources that the client names
 * @throws OAuthError as long as the user has not allowed it, when the device asks too often, and for an unknown code
 */
export async function redeemDeviceCode(
  engine: EngineContext,
  caller: ClientCaller,
  deviceCode: string,
  resources: readonly string[],
  isLate = false,
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
    // Another question came first, so that this one is early.
    if (isLate) throw tooOften()
    const isEarly = state.asked !== undefined && Math.abs(now - state.asked) < state.interval
    const next: DeviceState = { ...state, asked: now, interval: state.interval + (isEarly ? interval : 0) }
    const puts = [{ ...found, value: JSON.stringify(next) }]
    const refusal = await store.change({ pool: pool.id, now, uses, puts })
    // Another question at the same time, or the answer of the user, came first.
    if (refusal !== undefined) return redeemDeviceCode(engine, caller, deviceCode, resources, true)
    throw isEarly
      ? tooOften()
      : new OAuthError('authorization_pending', 'The user has not entered the code yet.')
  }
  if (state.answer === 'refused') {
    await store.change({ pool: pool.id, now, uses })
    throw new OAuthError('access_denied', 'The user has refused.')
  }
  const { authTime, browser } = state.answer
  const resource = grantedResource(state.resource, resources)
  const needs = browser === undefined ? [] : [{ kind: 'session' as const, id: browser }]
  for (const each of needs)
    if ((await store.credential(pool.id, each.kind, each.id, now)) === undefined) throw invalid()
  const user = await store.user(pool.id, state.answer.user)
  if (user === undefined || !mayContinue(user, now)) throw invalid()
  const { scopes } = state
  const grant: Grant = {
    ...{ id: randomUuid(random), client: client.id, authTime, scopes, isHosted: true, isNarrow: true },
    ...(pool.sessions !== undefined && { created: now }),
    ...(browser !== undefined && { browser }),
    ...(resource !== undefined && { resource }),
  }
  const tokens = await issueTokens(engine, caller, user, grant, 'TokenGeneration_HostedAuth', {})
  const refresh = newRefreshToken(engine, caller, user, grant)
  const adds = [refresh.grant, refresh.credential]
  const refusal = await store.change({ pool: pool.id, now: clock.now(), uses, needs, adds })
  if (refusal !== undefined) throw invalid()
  await evictSessions(engine, pool, user)
  return { tokens, refreshToken: refresh.token }
}

function tooOften(): OAuthError {
  return new OAuthError('slow_down', 'The device asks too often.')
}

function invalid(): OAuthError {
  return new OAuthError('invalid_grant', 'The device code is not valid.')
}

/** Refuses a client that must not use the device flow. */
export function refuseWithoutDevices({ oauth }: ClientSettings): void {
  if (oauth.grants.includes('device_code')) return
  throw new OAuthError('unauthorized_client', 'The client must not use the device flow.')
}
