import { createHash } from 'node:crypto'
import { isObject } from '@signalbox/codec'
import type { ShownPool } from '../api/operations/extensions.ts'
import { aliasForm, isUuid } from '../users/attributes.ts'

/** The services whose files `users import` reads. */
export const foreignServices = ['auth0', 'keycloak', 'supabase'] as const
export type ForeignService = (typeof foreignServices)[number]

type Fields = { readonly [name: string]: unknown }

/** A user in the form of `users export`. */
interface ImportedUser {
  readonly id: string
  readonly name: string
  readonly status: 'CONFIRMED' | 'UNCONFIRMED' | 'RESET_REQUIRED'
  readonly enabled: boolean
  readonly attributes: { readonly [name: string]: string }
  readonly passwordHash?: string
  readonly groups?: readonly string[]
  readonly created: number
  readonly modified: number
}

/** What all services know about a user, under the names of attributes here. */
interface Read {
  /** The id at the service. Ids that are UUIDs are kept. */
  readonly id: string
  readonly username?: unknown
  readonly enabled: boolean
  readonly attributes: { readonly [name: string]: unknown }
  readonly hash: string | undefined
  /** Whether the user has to prove an address there before the first sign-in. */
  readonly isUnconfirmed?: boolean
  /** Whether the password is not enough to sign in there. */
  readonly hasSecondFactor?: boolean
  readonly groups?: readonly string[]
  readonly created: number
}

type Pool = Pick<ShownPool, 'custom' | 'signIn'>

/** A user who cannot come along. */
export class Unimportable {
  /** The end of a sentence that says why, without any part of the user. */
  readonly why: string

  constructor(why: string) {
    this.why = why
  }
}

/**
 * Returns the user of another service as `users import` sends users. A user without a password hash, or with a second
 * factor that cannot come along, has to reset the password.
 * @param now the time of an account whose service does not say when it was created
 * @param leaveOut is told what of the user does not come along
 * @returns for what is not a user, the end of a sentence that says what is wrong, without any part of it
 */
export function foreignUser(
  service: ForeignService,
  value: unknown,
  pool: Pool,
  now: number,
  leaveOut: (what: string) => void = () => {},
): ImportedUser | Unimportable | string {
  if (!isObject(value)) return 'is not a user: a JSON object.'
  const read = readers[service](value as Fields, pool, now, leaveOut)
  if (typeof read === 'string' || read instanceof Unimportable) return read
  const { id: from, username, enabled, hash, groups, created } = read
  const { isUnconfirmed = false, hasSecondFactor = false } = read
  const filled = Object.entries(read.attributes).filter(
    ([, each]) => each !== undefined && each !== null && each !== '',
  )
  const wrong = filled.find(([, each]) => !['string', 'number', 'boolean'].includes(typeof each))
  if (wrong !== undefined) return new Unimportable(`has a value for ${wrong[0]} that is not a text.`)
  const attributes = Object.fromEntries(filled.map(([name, each]) => [name, String(each)]))
  const id = isUuid(from) ? from.toLowerCase() : derivedId(service, from)
  const named = text(username) ?? attributes.email ?? attributes.phone_number ?? id
  const isKept = hash !== undefined && !hasSecondFactor
  const isReachable = attributes.email_verified === 'true' || attributes.phone_number_verified === 'true'
  if (!isKept && !isReachable)
    return new Unimportable(
      hasSecondFactor
        ? 'has a second factor, which cannot come along, and no verified address to reset the password by.'
        : 'has no password hash, and no verified address to reset the password by.',
    )
  if (isUnconfirmed && attributes.email === undefined && attributes.phone_number === undefined)
    return new Unimportable('is not confirmed, and has no address to be confirmed by.')
  // An alias is never the user name of an account.
  const hasName = pool.signIn.includes('name') && named !== id && aliasForm(pool, named) === undefined
  const hasAlias =
    (pool.signIn.includes('email') && attributes.email_verified === 'true') ||
    (pool.signIn.includes('phone') && attributes.phone_number_verified === 'true')
  if (pool.signIn.includes('name') && !hasName && !hasAlias)
    return new Unimportable('has neither a user name nor a verified address to sign in with.')
  return {
    id,
    name: hasName ? named : id,
    status: isKept ? (isUnconfirmed ? 'UNCONFIRMED' : 'CONFIRMED') : 'RESET_REQUIRED',
    enabled,
    attributes,
    ...(isKept && { passwordHash: hash }),
    ...(groups !== undefined && { groups }),
    created,
    modified: created,
  }
}

/** Returns the users in a file of Keycloak, which is one JSON document: an exported realm, or a part of its users. */
export function keycloakUsers(text: string): readonly unknown[] {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw new Error('The file is not JSON, as `kc.sh export` writes it.')
  }
  const { users, verifyEmail } = isObject(document) ? (document as Fields) : {}
  if (!Array.isArray(users))
    throw new Error(
      'The file has no `users`. Export the realm with `--users same_file` or `--users different_files`.',
    )
  if (verifyEmail !== true) return users
  // Such a realm asks all users at the next sign-in to prove their addresses.
  return users.map(user =>
    isObject(user) ? { ...user, requiredActions: [...actionsOf(user as Fields), 'VERIFY_EMAIL'] } : user,
  )
}

/** Returns what a user of Keycloak has to do at the next sign-in. */
function actionsOf({ requiredActions }: Fields): readonly unknown[] {
  return Array.isArray(requiredActions) ? requiredActions : []
}

/** Credentials of Keycloak besides which a password is enough. Others are second factors, also those of extensions. */
const noFactors: readonly unknown[] = ['password', 'password-history', 'webauthn-passwordless']
/** What users of Keycloak have to do who will need a second factor. */
const factorActions = ['CONFIGURE_TOTP', 'CONFIGURE_RECOVERY_AUTHN_CODES', 'webauthn-register']

/** Returns whether an export of Auth0 says which users are blocked and have second factors. Files of hashes do not. */
export function saysWhoIsBlocked(user: unknown): boolean {
  return isObject(user) && ('blocked' in user || 'multifactor' in user)
}

const readers: {
  readonly [S in ForeignService]: (
    user: Fields,
    pool: Pool,
    now: number,
    leaveOut: (what: string) => void,
  ) => Read | Unimportable | string
} = {
  auth0(user, _pool, now) {
    const oid = isObject(user._id) ? text((user._id as Fields).$oid) : text(user._id)
    const id = oid === undefined ? text(user.user_id) : `auth0|${oid}`
    if (id === undefined) return 'is not a user of Auth0: it has neither _id nor user_id.'
    const { email, email_verified, username, given_name, family_name, name, nickname, picture } = user
    return {
      ...{ id, username, enabled: user.blocked !== true, hash: text(user.passwordHash) },
      attributes: {
        ...{ email, email_verified: verified(email, email_verified) },
        ...{
          phone_number: user.phone_number,
          phone_number_verified: verified(user.phone_number, user.phone_verified),
        },
        ...{ given_name, family_name, name, nickname, picture },
      },
      hasSecondFactor: Array.isArray(user.multifactor) && user.multifactor.length > 0,
      created: timeOf(user.created_at) ?? now,
    }
  },

  supabase(user, _pool, now) {
    const id = text(user.id)
    if (id === undefined) return 'is not a row of auth.users: it has no id.'
    const phone = text(user.phone)
    const phoneNumber = phone && `+${phone.replace(/^\+/, '')}`
    const data = isObject(user.raw_user_meta_data) ? (user.raw_user_meta_data as Fields) : {}
    const bannedUntil = text(user.banned_until)
    // A ban can also end at `infinity`.
    const isOver = bannedUntil === undefined || (timeOf(bannedUntil) ?? now + 1) <= now
    const [emailConfirmed, phoneConfirmed] = [text(user.email_confirmed_at), text(user.phone_confirmed_at)]
    return {
      id,
      enabled: isOver && !text(user.deleted_at),
      hash: text(user.encrypted_password),
      isUnconfirmed: emailConfirmed === undefined && phoneConfirmed === undefined,
      attributes: {
        ...{
          email: user.email,
          email_verified: verified(user.email, emailConfirmed !== undefined),
        },
        phone_number: phoneNumber,
        phone_number_verified: verified(phoneNumber, phoneConfirmed !== undefined),
        name: text(data.full_name) ?? text(data.name),
      },
      created: timeOf(user.created_at) ?? now,
    }
  },

  keycloak(user, { custom }, now, leaveOut) {
    const id = text(user.id)
    const username = text(user.username)
    if (id === undefined || username === undefined)
      return 'is not a user of Keycloak: it has no id and username.'
    const credentials = (Array.isArray(user.credentials) ? user.credentials : []).filter(isObject) as Fields[]
    const password = credentials.find(({ type }) => type === 'password')
    const hash = password && keycloakHash(password)
    if (hash !== undefined && !hash.startsWith('$')) return new Unimportable(hash)
    const actions = actionsOf(user)
    const own = isObject(user.attributes) ? (user.attributes as Fields) : {}
    const first = (name: string) => (Object.hasOwn(own, name) ? [own[name]].flat()[0] : undefined)
    const phone = first('phoneNumber') ?? first('phone_number')
    const { email, emailVerified, firstName, lastName } = user
    return {
      ...{ id, username, enabled: user.enabled !== false },
      // A user who has to choose a new password there has to do so here.
      hash: actions.includes('UPDATE_PASSWORD') ? undefined : hash,
      isUnconfirmed: actions.includes('VERIFY_EMAIL') && verified(email, emailVerified) !== 'true',
      attributes: {
        ...{
          email,
          email_verified: verified(email, emailVerified),
          given_name: firstName,
          family_name: lastName,
        },
        // Users may be able to write their attributes there, so that none says which numbers are verified.
        ...{ phone_number: phone, phone_number_verified: verified(phone, false) },
        ...Object.fromEntries(custom.map(name => [`custom:${name}`, first(name)])),
      },
      hasSecondFactor:
        user.totp === true ||
        credentials.some(({ type }) => !noFactors.includes(type)) ||
        actions.some(each => factorActions.includes(String(each))),
      groups: (Array.isArray(user.groups) ? user.groups : []).flatMap(each => {
        const path = text(each)
        const names = path?.split('/').filter(name => name !== '') ?? []
        if (names.length === 1) return names
        // Groups of different parents can have one name, so that the last one is not enough.
        if (path !== undefined) leaveOut(`the group ${path}`)
        return []
      }),
      created: typeof user.createdTimestamp === 'number' ? user.createdTimestamp : now,
    }
  },
}

/** Returns a password of Keycloak as a PHC string, or the end of a sentence that says why it cannot come along. */
function keycloakHash({ secretData, credentialData }: Fields): string {
  const secret = fieldsIn(secretData)
  const data = fieldsIn(credentialData)
  const more = fieldsIn(data.additionalParameters)
  const [salt, value] = [text(secret.salt), text(secret.value)]
  const { algorithm, hashIterations: rounds } = data
  const one = (name: string) => String([more[name]].flat()[0] ?? '')
  if (salt === undefined || value === undefined) return 'has a password without a salt or a value.'
  if (algorithm === 'pbkdf2-sha256' || algorithm === 'pbkdf2-sha512')
    return `$${algorithm}$i=${Number(rounds)}$${salt}$${value}`
  if (algorithm === 'argon2' && one('type') === 'id' && one('version') === '1.3')
    return `$argon2id$v=19$m=${one('memory')},t=${Number(rounds)},p=${one('parallelism')}$${salt}$${value}`
  return 'has a password of another algorithm than pbkdf2-sha256, pbkdf2-sha512 or argon2 of the type id and the version 1.3.'
}

/** Returns the fields of an object, or of a text with one, which Keycloak writes. */
function fieldsIn(value: unknown): Fields {
  if (typeof value !== 'string') return isObject(value) ? (value as Fields) : {}
  try {
    const parsed: unknown = JSON.parse(value)
    return isObject(parsed) ? (parsed as Fields) : {}
  } catch {
    return {}
  }
}

function verified(address: unknown, isVerified: unknown): string | undefined {
  return text(address) && String(isVerified === true || isVerified === 'true')
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function timeOf(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(at) ? at : undefined
}

/** Returns a UUID for an id of a service. It is always the same, so that an import can be repeated. */
function derivedId(service: ForeignService, id: string): string {
  const bytes = createHash('sha256').update(`${service} ${id}`).digest().subarray(0, 16)
  // Version 8 is for ids of one's own kind (RFC 9562).
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
