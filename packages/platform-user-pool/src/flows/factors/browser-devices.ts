import { isSame } from '@signalbox/platform-runtime/secrets'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import { makeVerifier, verifierOf } from '../../srp/verifier.ts'
import type { User } from '../../store/user-pool-store.ts'
import { findUser } from '../../users/attributes.ts'
import { apply } from '../apply.ts'
import {
  authenticatedDevice,
  deviceCredential,
  deviceGroupKey,
  deviceOf,
  type FoundDevice,
  newDeviceKey,
} from './devices.ts'

/** The cookie format of remembered browsers, which consists of the device key and the device password. */
const cookieForm = /^([\w-]{1,100})\.([\w-]{43})$/

/**
 * Remembers a browser as a device of an account. The cookie contains the password of the device. Users and
 * administrators can list and forget the browser like any other device.
 * @returns the value of the cookie
 */
export async function rememberBrowser(
  engine: EngineContext,
  pool: PoolSettings,
  { id }: Pick<User, 'id'>,
): Promise<string> {
  const { vault, random, clock } = engine
  const { DeviceKey: key } = newDeviceKey(engine, pool)
  const password = Buffer.from(random(32)).toString('base64url')
  const now = clock.now()
  const device = {
    key,
    name: 'Browser',
    isRemembered: true,
    ...makeVerifier({ poolName: deviceGroupKey(vault, pool, key), userName: key }, password, random),
    created: now,
    modified: now,
    authenticated: now,
  }
  await apply(engine, { pool: pool.id, now, adds: [deviceCredential(engine, pool, id, device)] })
  return `${key}.${password}`
}

/** Returns the device named in a browser's cookie, if it belongs to the account with this name. */
export async function browserDevice(
  engine: EngineContext,
  pool: PoolSettings,
  cookie: string | undefined,
  sentName: string,
): Promise<FoundDevice | undefined> {
  const [, key, password] = cookieForm.exec(cookie ?? '') ?? []
  if (pool.devices.remember === 'off' || key === undefined || password === undefined) return undefined
  const user = await findUser(engine.store, pool, sentName)
  // The same data is read for an unknown name, so that both cases take equally long.
  const found = await deviceOf(engine, pool, user ?? { id: '' }, key)
  if (found === undefined) return undefined
  const { salt, verifier } = found.device
  const owner = { poolName: deviceGroupKey(engine.vault, pool, key), userName: key }
  return isSame(verifierOf(owner, password, salt).toString(16), verifier) ? found : undefined
}

/** Records a sign-in with a remembered browser, unless the device has changed in the meantime. */
export async function recordBrowser(
  engine: EngineContext,
  pool: PoolSettings,
  found: FoundDevice,
): Promise<void> {
  const change = authenticatedDevice(engine, pool, found)
  await engine.store.change({ pool: pool.id, now: engine.clock.now(), ...change })
}
