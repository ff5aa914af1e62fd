import { randomUuid } from '@signalbox/platform-runtime'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import type { Change, Credential, User } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { invalidParameter } from '../../users/attributes.ts'
import { apply } from '../apply.ts'

/** A device that a user confirmed. Times are milliseconds since the epoch. */
export interface Device {
  readonly key: string
  readonly name: string | undefined
  readonly isRemembered: boolean
  /** The salt and verifier of the device's password in hexadecimal. */
  readonly salt: string
  readonly verifier: string
  readonly created: number
  readonly modified: number
  readonly authenticated: number
}

/** A device with the credential that stores it. */
export interface FoundDevice {
  readonly device: Device
  readonly credential: Credential
}

type Context = Pick<EngineContext, 'store' | 'vault' | 'clock'>

/** Creates the keys of a new device, which is not confirmed yet. */
export function newDeviceKey({ random, vault }: Pick<EngineContext, 'random' | 'vault'>, pool: PoolSettings) {
  const DeviceKey = `${pool.region}_${randomUuid(random)}`
  return { DeviceKey, DeviceGroupKey: deviceGroupKey(vault, pool, DeviceKey) }
}

/** Returns the group key of a device. It replaces the pool's name in SRP exchanges with the device. */
export function deviceGroupKey(vault: EngineContext['vault'], pool: PoolSettings, key: string): string {
  return `-${vault.derive(key, `device group ${pool.id}`, 6).toString('base64url')}`
}

/** The expiry of devices, which are valid until they are forgotten. */
const never = Number.MAX_SAFE_INTEGER

function about(pool: PoolSettings, key: string): string {
  return `device ${pool.id} ${key}`
}

export function deviceCredential(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: PoolSettings,
  user: string,
  device: Device,
): Credential {
  const value = vault.encrypt(JSON.stringify(device), about(pool, device.key))
  return { kind: 'device', id: device.key, user, expires: never, value }
}

export function openedDevice(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: PoolSettings,
  credential: Credential,
): FoundDevice | undefined {
  const text = vault.decrypt(credential.value, about(pool, credential.id))
  return text === undefined ? undefined : { device: JSON.parse(text) as Device, credential }
}

/** Returns an account's device, or undefined when the account has no device with this key. */
export async function deviceOf(
  engine: Context,
  pool: PoolSettings,
  { id }: Pick<User, 'id'>,
  key: string,
): Promise<FoundDevice | undefined> {
  const credential = await engine.store.credential(pool.id, 'device', key, engine.clock.now())
  return credential?.user === id ? openedDevice(engine, pool, credential) : undefined
}

/**
 * Finds a device of an account.
 * @throws UserPoolError when the account has no device with this key
 */
export async function existingDevice(
  engine: Context,
  pool: PoolSettings,
  user: Pick<User, 'id'>,
  key: string,
): Promise<FoundDevice> {
  const found = await deviceOf(engine, pool, user, key)
  if (found === undefined) throw unknownDevice()
  return found
}

/** Returns the error that makes a client forget its device. */
export function unknownDevice(): UserPoolError {
  return new UserPoolError('ResourceNotFoundException', 'Device does not exist.')
}

export async function devicesOf(engine: Context, pool: PoolSettings, { id }: Pick<User, 'id'>) {
  const all = await engine.store.credentialsOf(pool.id, id, 'device', engine.clock.now())
  return all.flatMap(each => openedDevice(engine, pool, each)?.device ?? [])
}

/**
 * Confirms the device on which the user has signed in. Returns whether the client has to ask the user for permission to
 * remember the device.
 * @param own the device key of the access token
 * @throws UserPoolError for a device other than `own`, and for a device that was already confirmed
 */
export async function confirmDevice(
  engine: Context,
  pool: PoolSettings,
  user: Pick<User, 'id'>,
  own: string | undefined,
  asked: {
    readonly key: string
    readonly name: string | undefined
    /** The verifier of the device's password, in Base64. */
    readonly verifier: string
    readonly salt: string
  },
): Promise<boolean> {
  if (pool.devices.remember === 'off') throw invalidParameter('The user pool does not remember devices.')
  if (asked.key !== own) throw unknownDevice()
  const now = engine.clock.now()
  const credential = deviceCredential(engine, pool, user.id, {
    key: asked.key,
    name: asked.name,
    isRemembered: pool.devices.remember === 'always',
    salt: hexOf(asked.salt, 'Salt'),
    verifier: hexOf(asked.verifier, 'PasswordVerifier'),
    created: now,
    modified: now,
    authenticated: now,
  })
  const refusal = await engine.store.change({ pool: pool.id, now, adds: [credential] })
  if (refusal !== undefined) throw invalidParameter('The device is confirmed already.')
  return pool.devices.remember === 'opt-in'
}

/**
 * Converts a client's Base64 verifier to hexadecimal digits. The verifier is not checked against the SRP modulus N,
 * because an invalid verifier harms only the client that sent it.
 */
function hexOf(base64: string, name: string): string {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length === 0 || bytes.length > 400) throw invalidParameter(`${name} is not valid.`)
  return bytes.toString('hex')
}

/** Sets whether the pool remembers a device. */
export async function rememberDevice(
  engine: Context,
  pool: PoolSettings,
  user: Pick<User, 'id'>,
  key: string,
  isRemembered: boolean,
): Promise<void> {
  const found = await existingDevice(engine, pool, user, key)
  await apply(engine, {
    pool: pool.id,
    now: engine.clock.now(),
    ...changed(engine, pool, found, { isRemembered, modified: engine.clock.now() }),
  })
}

/** Returns the change that records a sign-in on a device. */
export function authenticatedDevice(engine: Context, pool: PoolSettings, found: FoundDevice) {
  return changed(engine, pool, found, { authenticated: engine.clock.now() })
}

function changed(
  engine: Context,
  pool: PoolSettings,
  { device, credential: { kind, id, user, value } }: FoundDevice,
  differences: Partial<Device>,
): Required<Pick<Change, 'uses' | 'puts'>> {
  return {
    uses: [{ kind, id, value }],
    puts: [deviceCredential(engine, pool, user, { ...device, ...differences })],
  }
}

/** Forgets a device, and ends the sign-ins on it. */
export async function forgetDevice(
  engine: Context,
  pool: PoolSettings,
  user: Pick<User, 'id'>,
  key: string,
): Promise<void> {
  const { credential } = await existingDevice(engine, pool, user, key)
  const now = engine.clock.now()
  const longest = Math.max(...pool.clients.map(client => client.refresh.life), 0)
  await apply(engine, {
    pool: pool.id,
    now,
    ends: [{ kind: 'device', id: credential.id }],
    puts: [{ ...forgottenDevice(key), user: user.id, expires: now + longest, value: '' }],
  })
}

/**
 * Returns whether the user has forgotten a device. The store keeps a mark for a forgotten device as long as sign-ins on
 * it could last.
 */
export async function isForgotten(engine: Context, pool: PoolSettings, key: string): Promise<boolean> {
  const { kind, id } = forgottenDevice(key)
  return (await engine.store.credential(pool.id, kind, id, engine.clock.now())) !== undefined
}

/** Returns the credential that marks a device as forgotten. */
export function forgottenDevice(key: string): Pick<Credential, 'kind' | 'id'> {
  return { kind: 'spent', id: `device ${key}` }
}
