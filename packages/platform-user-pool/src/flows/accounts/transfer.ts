import * as t from 'io-ts'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import { readHash } from '../../hashes/password-hash.ts'
import type { Credential, User } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import {
  findUser,
  invalidParameter,
  isUuid,
  readAttributes,
  refuseOtherId,
  refuseUnknownAttribute,
  withAttributes,
} from '../../users/attributes.ts'
import { identitiesAttribute } from '../../users/identities.ts'
import { apply } from '../apply.ts'
import { openedDevice } from '../factors/devices.ts'
import { withoutToken } from '../factors/factor-preferences.ts'
import { openedPasskey } from '../factors/passkeys.ts'
import { decryptedTotp } from '../factors/totp.ts'
import { takenAliases } from './aliases.ts'
import { encryptedHash, hasPassword } from './imported-passwords.ts'
import { refuseBadName } from './sign-up.ts'

const factor = t.keyof({ totp: 0, sms: 0, email: 0 })

/**
 * An exported account with its groups, second factors, devices, passkeys, links to users of providers, and used codes.
 * Secrets are encrypted as they are in the store. Sessions and tokens are not exported.
 */
export const exportedUser = t.intersection([
  t.type({
    id: t.string,
    name: t.string,
    status: t.keyof({
      UNCONFIRMED: 0,
      CONFIRMED: 0,
      RESET_REQUIRED: 0,
      FORCE_CHANGE_PASSWORD: 0,
      EXTERNAL_PROVIDER: 0,
    }),
    enabled: t.boolean,
    attributes: t.record(t.string, t.string),
    created: t.number,
    modified: t.number,
  }),
  t.partial({
    password: t.string,
    /** A password hash of another service, which the first sign-in with the password replaces. */
    passwordHash: t.string,
    passwordExpires: t.number,
    factors: t.intersection([
      t.type({ enabled: t.array(factor) }),
      t.partial({ totp: t.string, totpName: t.string, preferred: factor }),
    ]),
    groups: t.array(t.string),
    credentials: t.array(
      t.type({
        kind: t.keyof({ device: 0, passkey: 0, spent: 0, link: 0 }),
        id: t.string,
        expires: t.number,
        value: t.string,
      }),
    ),
  }),
])

type ExportedUser = t.TypeOf<typeof exportedUser>

const exportedAtOnce = 200

/**
 * Returns one page of accounts in order of user name, and the last name on the page, after which the next page starts.
 */
export async function exportUsers(
  { store, clock }: EngineContext,
  pool: PoolSettings,
  after: string | undefined,
): Promise<{ readonly users: readonly object[]; readonly next: string | undefined }> {
  const found = await store.users(pool.id, { limit: exportedAtOnce, after })
  const users = await Promise.all(
    found.map(async ({ revision: _, signInNames: __, ...user }) => {
      const groups = await store.groupsOf(pool.id, user.id)
      const credentials = await Promise.all(
        (['device', 'passkey', 'spent', 'link'] as const).map(kind =>
          store.credentialsOf(pool.id, user.id, kind, clock.now()),
        ),
      )
      return {
        ...user,
        groups: groups.map(({ name }) => name),
        credentials: credentials.flat().map(({ user: _, ...credential }) => credential),
      }
    }),
  )
  return { users, next: found.length < exportedAtOnce ? undefined : found.at(-1)!.name }
}

/** The result of importing one account. */
export interface Imported {
  /**
   * `reset` means that the account was added, but that its user has to reset the password, because a secret was
   * encrypted with another key or for another account.
   */
  readonly Result: 'added' | 'there' | 'reset' | 'refused'
  readonly Message?: string
}

/**
 * Adds an exported account. An existing account stays unchanged.
 * @param isForeign whether another service has exported the account, so that nothing about it was checked before
 */
export async function importUser(
  engine: EngineContext,
  pool: PoolSettings,
  { groups = [], credentials = [], passwordHash, ...exported }: ExportedUser,
  isForeign = passwordHash !== undefined,
): Promise<Imported> {
  if (!isUuid(exported.id)) return { Result: 'refused', Message: 'The id is not a UUID.' }
  const found = await findUser(engine.store, pool, exported.id)
  if (found?.id === exported.id) return { Result: 'there' }
  if (found !== undefined) return { Result: 'refused', Message: 'Another user has the id as a user name.' }
  if (passwordHash !== undefined) {
    const problem = readHash(passwordHash)
    if (typeof problem === 'string') return { Result: 'refused', Message: problem }
    if (exported.password !== undefined)
      return { Result: 'refused', Message: 'A user has either a password or a passwordHash.' }
  }
  const password =
    passwordHash === undefined ? exported.password : encryptedHash(engine, pool, exported, passwordHash)
  const read: User = { ...exported, password, signInNames: [] }
  const { totp, ...others } = exported.factors ?? { enabled: [] }
  const isTotpLost = totp !== undefined && decryptedTotp(engine, pool, read, totp) === undefined
  const isPasswordLost = exported.password !== undefined && !hasPassword(engine, pool, read)
  // An account that has lost its second factor must not be accessible with its password alone.
  const isReset = isPasswordLost || isTotpLost
  try {
    if (exported.status !== 'EXTERNAL_PROVIDER') refuseBadName(pool, exported.name)
    // A pool of this platform may have users with such names, whom a file of its own brings back.
    if (isForeign) refuseOtherId(exported.name, exported.id)
    else if (isUuid(exported.name) && (await findUser(engine.store, pool, exported.name)) !== undefined)
      throw invalidParameter('The user name is the sub of another user.')
    const sent = Object.entries(exported.attributes).map(([Name, Value]) => ({ Name, Value }))
    for (const { Name } of sent) if (Name !== identitiesAttribute) refuseUnknownAttribute(pool, Name, true)
    const user = withAttributes(
      pool,
      {
        ...read,
        ...(isForeign && { attributes: readAttributes(pool, sent, true) }),
        ...(isReset && { status: 'RESET_REQUIRED', password: undefined }),
        ...(isTotpLost && { factors: withoutToken(others) }),
      },
      {},
    )
    await takenAliases(engine, pool, user, false)
    const adds = credentials.map(each => ({ ...each, user: user.id }))
    await apply(engine, {
      pool: pool.id,
      now: engine.clock.now(),
      users: [{ user, was: undefined, groups }],
      adds: adds.filter(each => isOwnCredential(engine, pool, each)),
    })
    return { Result: isReset ? 'reset' : 'added' }
  } catch (error) {
    if (!(error instanceof UserPoolError)) throw error
    return { Result: 'refused', Message: error.message }
  }
}

/**
 * Returns whether a credential is valid for its account. Devices and passkeys that were encrypted with another key, or
 * for another pool, are invalid. Their users have to enter a code or add the passkey again.
 */
function isOwnCredential(engine: EngineContext, pool: PoolSettings, credential: Credential): boolean {
  switch (credential.kind) {
    case 'device':
      return openedDevice(engine, pool, credential) !== undefined
    case 'passkey':
      return openedPasskey(engine, pool, credential) !== undefined
    case 'link':
      return true
    default:
      return credential.value === '' && /^(totp|device) /.test(credential.id)
  }
}
