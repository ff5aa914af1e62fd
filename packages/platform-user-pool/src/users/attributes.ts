import type { PoolSettings } from '../config/user-pool-settings.ts'
import { standardAttributes, verifications } from '../standard-attributes.ts'
import type { StoredUser, User, UserPoolStore } from '../store/user-pool-store.ts'
import { UserPoolError } from '../user-pool-error.ts'

/** Attribute values by name. */
export type Attributes = { readonly [name: string]: string }

/** Returns the normalized form of a name, which does not depend on upper and lower case. */
export function normalized(name: string): string {
  // The name is normalized again, because some letters have a composed form only in lower case.
  return name.normalize('NFC').toLowerCase().normalize('NFC')
}

/**
 * Returns the names that an account can sign in with, in normalized form. They are its user name, the name that it
 * signed up with, and its verified aliases.
 */
export function signInNamesOf(
  { signIn }: PoolSettings,
  name: string,
  attributes: Attributes,
): readonly string[] {
  const names = [name]
  const isAlias = signIn.includes('name')
  for (const [kind, attribute] of [
    ['email', 'email'],
    ['phone', 'phone_number'],
  ] as const)
    if (
      signIn.includes(kind) &&
      attributes[attribute] !== undefined &&
      (!isAlias || attributes[`${attribute}_verified`] === 'true')
    )
      names.push(attributes[attribute])
  if (signIn.includes('preferred_username') && attributes.preferred_username !== undefined)
    names.push(attributes.preferred_username)
  return [...new Set(names.map(normalized))]
}

/** Returns a copy of an account with changed attributes. Attributes that are changed to undefined are removed. */
export function withAttributes(
  pool: PoolSettings,
  user: User,
  changed: { readonly [name: string]: string | undefined },
): User {
  const attributes = Object.fromEntries(
    Object.entries({ ...user.attributes, ...changed }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
  // An external provider authenticates this user, so the user cannot sign in with the e-mail address or phone number.
  const signInNames =
    user.status === 'EXTERNAL_PROVIDER' ? [normalized(user.name)] : signInNamesOf(pool, user.name, attributes)
  return { ...user, attributes, signInNames }
}

/** Returns whether a string can be the `sub` of an account. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Finds an account by one of its sign-in names or by its `sub`. */
export async function findUser(
  store: UserPoolStore,
  pool: PoolSettings,
  name: string,
): Promise<StoredUser | undefined> {
  const named = await store.userNamed(pool.id, normalized(name))
  return named ?? (isUuid(name) ? store.user(pool.id, name.toLowerCase()) : undefined)
}

/**
 * Returns the attributes of an account in the form that trigger events contain. Each address has a verification flag,
 * which is `false` until the address is verified.
 */
export function eventAttributes(pool: PoolSettings, user: User): { [name: string]: string } {
  const { email, phone_number: phone } = user.attributes
  const isAlias = (value: string | undefined) =>
    pool.signIn.includes('name') && value !== undefined && user.signInNames.includes(normalized(value))
  return {
    sub: user.id,
    'pool:user_status': user.status,
    ...(pool.signIn.includes('email') && isAlias(email) && { 'pool:email_alias': email! }),
    ...(pool.signIn.includes('phone') && isAlias(phone) && { 'pool:phone_number_alias': phone! }),
    ...(email && { email_verified: 'false' }),
    ...(phone && { phone_number_verified: 'false' }),
    ...user.attributes,
  }
}

/** An attribute as clients send and receive it. */
export interface WireAttribute {
  readonly Name: string
  readonly Value?: string | undefined
}

/** The maximum number of characters in an attribute value. */
const valueLimit = 2048

/**
 * Reads the attributes that a client sent.
 * @param byAdmin whether the caller may mark addresses as verified
 * @throws UserPoolError for an invalid value or an attribute that the pool does not have
 */
export function readAttributes(
  pool: PoolSettings,
  sent: readonly WireAttribute[],
  byAdmin: boolean,
): { [name: string]: string } {
  const attributes: { [name: string]: string } = {}
  for (const { Name: name, Value: value = '' } of sent) {
    refuseUnknownAttribute(pool, name, byAdmin)
    const read = verifications.includes(name) ? value.toLowerCase() : value
    const malformed = read === '' ? undefined : addressProblem(name, read)
    if (malformed !== undefined) throw invalidParameter(malformed)
    const wrong = valueProblem(pool, name, read)
    if (wrong !== undefined) throw invalidParameter(`Attribute value for ${name} ${wrong}.`)
    attributes[name] = read
  }
  return attributes
}

/**
 * Refuses an attribute that the caller cannot set.
 * @throws UserPoolError for an attribute that the pool does not have, or that the caller may not change
 */
export function refuseUnknownAttribute(pool: PoolSettings, name: string, byAdmin: boolean): void {
  if (standardAttributes.includes(name)) return
  if (verifications.includes(name) || pool.rules[name]?.byAdmin === true) {
    if (byAdmin) return
    throw new UserPoolError(
      'NotAuthorizedException',
      `A client attempted to write unauthorized attribute ${name}`,
    )
  }
  if (isCustom(pool, name)) return
  throw invalidParameter(
    `Attributes did not conform to the schema: ${name}: Attribute does not exist in the schema.`,
  )
}

/** Returns whether a pool has an attribute. */
export function hasAttribute(pool: PoolSettings, name: string): boolean {
  return (
    standardAttributes.includes(name) ||
    verifications.includes(name) ||
    pool.rules[name]?.byAdmin === true ||
    isCustom(pool, name)
  )
}

function isCustom({ custom }: PoolSettings, name: string): boolean {
  return name.startsWith('custom:') && Object.hasOwn(custom, name.slice('custom:'.length))
}

/** Returns the identity provider whose users have names that begin as this name does. */
function providerOfName({ identityProviders }: PoolSettings, name: string): string | undefined {
  return identityProviders.find(each => normalized(name).startsWith(`${normalized(each.name)}_`))?.name
}

/**
 * Refuses a name that looks like the name of a provider's user, because programs would take the account for the
 * provider's user.
 * @throws UserPoolError
 */
export function refuseProviderName(pool: PoolSettings, name: string): void {
  const provider = providerOfName(pool, name)
  if (provider === undefined) return
  throw invalidParameter(
    `Username cannot begin with ${provider}_, because users of the identity provider ${provider} have such names.`,
  )
}

/**
 * Refuses a user name that looks like the `sub` of another account, which it would be taken for.
 * @throws UserPoolError
 */
export function refuseOtherId(name: string, id: string): void {
  if (isUuid(name) && name.toLowerCase() !== id)
    throw invalidParameter('Username cannot be a UUID other than the sub of the user.')
}

const emailForm = /^[^\s@<>\p{Cc}]+@[^\s@<>\p{Cc}]+$/u

/** Returns the kind of alias that a string looks like, or undefined if the pool does not allow this kind. */
export function aliasForm(
  { signIn }: Pick<PoolSettings, 'signIn'>,
  text: string,
): 'email' | 'phone number' | undefined {
  if (signIn.includes('email') && emailForm.test(text)) return 'email'
  return signIn.includes('phone') && /^\+\d+$/.test(text) ? 'phone number' : undefined
}

/** Returns what is wrong with an address, in the words of the service. */
function addressProblem(attribute: string, value: string): string | undefined {
  if (attribute === 'email' && !emailForm.test(value)) return 'Invalid email address format.'
  return attribute === 'phone_number' && !/^\+\d{4,15}$/.test(value)
    ? 'Invalid phone number format.'
    : undefined
}

function valueProblem(pool: PoolSettings, name: string, value: string): string | undefined {
  if (value.length > valueLimit) return `is longer than ${valueLimit} characters`
  if (value === '') return undefined
  if (name.endsWith('_verified'))
    return value === 'true' || value === 'false' ? undefined : 'is not true or false'
  if (name === 'preferred_username' && pool.signIn.includes(name)) {
    const form = aliasForm(pool, value)
    if (form !== undefined) return `is of ${form} format, and the pool has such aliases`
    const provider = providerOfName(pool, value)
    return provider && `begins as the names of users of the identity provider ${provider}`
  }
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } = pool.rules[name] ?? {}
  switch (isCustom(pool, name) ? pool.custom[name.slice('custom:'.length)] : undefined) {
    case 'number':
      if (!/^-?\d{1,15}(\.\d+)?$/.test(value)) return 'is not a number'
      if (Number(value) < least) return `is less than ${least}`
      return Number(value) > most ? `is more than ${most}` : undefined
    case 'boolean':
      return value === 'true' || value === 'false' ? undefined : 'is not true or false'
    default:
      if (value.length < least) return `has fewer than ${least} characters`
      return value.length > most ? `has more than ${most} characters` : undefined
  }
}

/**
 * Checks that no required attribute is missing.
 * @throws UserPoolError for a missing attribute
 */
export function refuseMissingAttributes({ required, signIn }: PoolSettings, attributes: Attributes): void {
  const missing = required.filter(name => (attributes[name] ?? '') === '')
  if (missing.length > 0)
    throw invalidParameter(
      `Attributes did not conform to the schema: ${missing.map(name => `${name}: The attribute ${name} is required`).join('; ')}`,
    )
  if (signIn.includes('name')) return
  if (!attributes.email && !attributes.phone_number && !attributes.preferred_username)
    throw wrongKindOfName({ signIn })
}

/** Returns the error for a user name of a kind that users of the pool cannot sign in with. */
export function wrongKindOfName({ signIn }: Pick<PoolSettings, 'signIn'>): UserPoolError {
  const kinds = signIn.map(kind => wordsOf[kind]).join(' or ')
  return invalidParameter(`Username should be ${signIn.length === 2 ? 'either ' : ''}${kinds}.`)
}

const wordsOf = {
  name: 'a name',
  email: 'an email',
  phone: 'a phone number',
  preferred_username: 'a preferred username',
}

export function invalidParameter(message: string): UserPoolError {
  return new UserPoolError('InvalidParameterException', message)
}
