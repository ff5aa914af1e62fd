import type { Hint } from '@signalbox/codec'

/**
 * The user attributes by name, each marked as part of the contract or as an extension:
 * docs/contract/user-pool.md#user-attributes.
 */
const userAttributes = {
  /** Identifies the user. */
  sub: 'contract',
  /** E-mail address. */
  email: 'contract',
  /** `true` or `false`. */
  email_verified: 'contract',
  /** Phone number. */
  phone_number: 'contract',
  /** `true` or `false`. */
  phone_number_verified: 'contract',
  /** First name. */
  given_name: 'contract',
  /** Last name. */
  family_name: 'contract',
  /** Status of the user. */
  'pool:user_status': 'contract',
  /** E-mail address that is an alias. */
  'pool:email_alias': 'contract',
  /** Standard attribute of OpenID Connect. */
  name: 'extension',
  /** Standard attribute of OpenID Connect. */
  middle_name: 'extension',
  /** Standard attribute of OpenID Connect. */
  nickname: 'extension',
  /** Standard attribute of OpenID Connect. */
  preferred_username: 'extension',
  /** Standard attribute of OpenID Connect. */
  profile: 'extension',
  /** Standard attribute of OpenID Connect. */
  picture: 'extension',
  /** Standard attribute of OpenID Connect. */
  website: 'extension',
  /** Standard attribute of OpenID Connect. */
  gender: 'extension',
  /** Standard attribute of OpenID Connect. */
  birthdate: 'extension',
  /** Standard attribute of OpenID Connect. */
  zoneinfo: 'extension',
  /** Standard attribute of OpenID Connect. */
  locale: 'extension',
  /** Standard attribute of OpenID Connect. */
  address: 'extension',
  /** Standard attribute of OpenID Connect. */
  updated_at: 'extension',
  /** Identities at external providers, as JSON text. */
  identities: 'extension',
  /** Phone number that is an alias. */
  'pool:phone_number_alias': 'extension',
} as const

type UserAttributeRows = typeof userAttributes
type NamesOf<Origin> = {
  [K in keyof UserAttributeRows]: UserAttributeRows[K] extends Origin ? K : never
}[keyof UserAttributeRows]

/** The names of user attributes: those in the contract, and those that Signalbox adds. */
export const userAttributeNames: {
  readonly contract: readonly NamesOf<'contract'>[]
  readonly extension: readonly NamesOf<'extension'>[]
} = { contract: /* @__PURE__ */ namesOf('contract'), extension: /* @__PURE__ */ namesOf('extension') }

function namesOf<Origin extends 'contract' | 'extension'>(origin: Origin): readonly NamesOf<Origin>[] {
  const names = Object.keys(userAttributes) as (keyof UserAttributeRows)[]
  return names.filter(name => userAttributes[name] === origin) as never
}

/**
 * The attributes in a notice about an attempted account takeover, which replace the user's attributes. The contract
 * does not define them.
 */
export const takeoverAttributeNames = [
  'EVENT_ID',
  'USER_NAME',
  'IP_ADDRESS',
  'ACCOUNT_TAKE_OVER_ACTION',
  'ONE_CLICK_LINK_VALID',
  'ONE_CLICK_LINK_INVALID',
  'LOGIN_TIME',
  'FEEDBACK_TOKEN',
  'CITY',
  'COUNTRY',
  'DEVICE_NAME',
] as const

/** User attributes. All values are strings; `email_verified` is `'true'` or `'false'`. Other names are possible. */
export type UserAttributes = { -readonly [K in keyof UserAttributeRows]?: string } & {
  [name: string]: string | undefined
}

/**
 * The attributes that handlers read. Reading an attribute by the name of a provider is a compile error that shows the
 * correct name. An unknown name that begins with `pool:` is a compile error, too.
 */
export type ReadAttributes<Attributes = UserAttributes> = Attributes &
  ProviderAttributes & {
    readonly [name: `cognito:${string}`]: 'write pool:… for cognito:…, such as pool:user_status' | undefined
    readonly [name: `pool:${string}`]: 'unknown name with pool:, unlike pool:user_status' | undefined
  }

// The names are listed, because a template-literal index alone would give each value the type string, so that any
// string method would compile. This is an interface, because the properties of a type alias would change the type of
// the values that `Object.values()` returns. They would no longer be strings.
interface ProviderAttributes
  extends Readonly<{
    [Name in keyof UserAttributeRows as Name extends `pool:${infer Rest}`
      ? `cognito:${Rest}`
      : never]?: Hint<`write ${Name}`>
  }> {}

/** The attributes of an account-takeover notice. */
export type TakeoverAttributes = { [K in (typeof takeoverAttributeNames)[number]]?: string } & {
  [name: string]: string | undefined
}

/** The values of `pool:user_status`. Only CONFIRMED is in the contract. */
export const userStatuses = [
  'UNCONFIRMED',
  'CONFIRMED',
  'EXTERNAL_PROVIDER',
  'RESET_REQUIRED',
  'FORCE_CHANGE_PASSWORD',
  'UNKNOWN',
  'ARCHIVED',
  'COMPROMISED',
] as const

/** The status of a user, as `pool:user_status` has it. */
export type UserStatus = (typeof userStatuses)[number]
