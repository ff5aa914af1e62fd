import { createHash } from 'node:crypto'
import { isObject } from '@signalbox/codec'
import type { ShownPool } from '../api/operations/extensions.ts'
import { isUuid } from '../users/attributes.ts'

/** The services whose files `users import` reads. */
export const foreignServices = ['auth0', 'keycloak', 'supabase'] as const
export type ForeignService = (typeof foreignServices)[number]

type Fields = { readonly [name: string]: unknown }

/** A user in the form of `users export`. */
interface ImportedUser {
  readonly id: string
  readonly name: string
  readonly status: 'CONFIRMED' | 'RESET_REQUIRED'
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
  readonly hasSecondFactor?: boolean
  readonly groups?: readonly string[]
  readonly created: number
}

type Pool = Pick<ShownPool, 'custom' | 'signIn'>

/**
 * Returns the user of another service as `users import` sends users. A user without a password hash, or with a second
 * factor that cannot come along, has to reset the password.
 * @param now the time of an account whose service does not say when it was created
 * @returns the end of a sentence that says what is wrong, without any part of the user
 */
export function foreignUser(
  service: ForeignService,
  value: unknown,
  pool: Pool,
  now: number,
): ImportedUser | string {
  if (!isObject(value)) return 'is not a user: a JSON object.'
  const read = readers[service](value as Fields, pool, now)
  if (typeof read === 'string') return read
  const { id: from, username, enabled, hash, hasSecondFactor = false, groups, created } = read
  const attributes = Object.fromEntries(
    Object.entries(read.attributes).flatMap(([name, text]) =>
      text === undefined || text === null || text === '' ? [] : [[name, String(text)]],
    ),
  )
  const id = isUuid(from) ? from.toLowerCase() : derivedId(service, from)
  const named = text(username) ?? attributes.email ?? attributes.phone_number ?? id
  const isKept = hash !== undefined && !hasSecondFactor
  const isReachable = attributes.email_verified === 'true' || attributes.phone_number_verified === 'true'
  if (!isKept && !isReachable)
    return hasSecondFactor
      ? 'has a second factor, which cannot come along, and no verified address to reset the password by.'
      : 'has no password hash, and no verified address to reset the password by.'
  return {
    id,
    name: pool.signIn.includes('name') ? named : id,
    status: isKept ? 'CONFIRMED' : 'RESET_REQUIRED',
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
  const users = isObject(document) ? (document as Fields).users : undefined
  if (!Array.isArray(users))
    throw new Error(
      'The file has no `users`. Export the realm with `--users same_file` or `--users different_files`.',
    )
  return users
}

const readers: {
  readonly [S in ForeignService]: (user: Fields, pool: Pool, now: number) => Read | string
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
    const bannedUntil = timeOf(user.banned_until)
    return {
      id,
      enabled: !(bannedUntil !== undefined && bannedUntil > now) && !text(user.deleted_at),
      hash: text(user.encrypted_password),
      attributes: {
        ...{
          email: user.email,
          email_verified: verified(user.email, text(user.email_confirmed_at) !== undefined),
        },
        phone_number: phoneNumber,
        phone_number_verified: verified(phoneNumber, text(user.phone_confirmed_at) !== undefined),
        name: text(data.full_name) ?? text(data.name),
      },
      created: timeOf(user.created_at) ?? now,
    }
  },

  keycloak(user, { custom }, now) {
    const id = text(user.id)
    const username = text(user.username)
    if (id === undefined || username === undefined)
      return 'is not a user of Keycloak: it has no id and username.'
    const credentials = (Array.isArray(user.credentials) ? user.credentials : []).filter(isObject) as Fields[]
    const password = credentials.find(({ type }) => type === 'password')
    const hash = password && keycloakHash(password)
    if (hash !== undefined && !hash.startsWith('$')) return hash
    const actions = Array.isArray(user.requiredActions) ? user.requiredActions : []
    const own = isObject(user.attributes) ? (user.attributes as Fields) : {}
    const first = (name: string) => [own[name]].flat()[0]
    const phone = first('phoneNumber') ?? first('phone_number')
    const isPhoneVerified = first('phoneNumberVerified') ?? first('phone_number_verified')
    const { email, emailVerified, firstName, lastName } = user
    return {
      ...{ id, username, enabled: user.enabled !== false },
      // A user who has to choose a new password there has to do so here.
      hash: actions.includes('UPDATE_PASSWORD') ? undefined : hash,
      attributes: {
        ...{
          email,
          email_verified: verified(email, emailVerified),
          given_name: firstName,
          family_name: lastName,
        },
        ...{ phone_number: phone, phone_number_verified: verified(phone, isPhoneVerified) },
        ...Object.fromEntries(custom.map(name => [`custom:${name}`, first(name)])),
      },
      hasSecondFactor: credentials.some(({ type }) => type === 'otp' || type === 'webauthn'),
      groups: (Array.isArray(user.groups) ? user.groups : []).flatMap(
        path => text(path)?.split('/').pop() || [],
      ),
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
