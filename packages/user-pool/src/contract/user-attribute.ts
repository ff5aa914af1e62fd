/** The attribute names that the contract shows, and the standard ones that it does not (contract A.2). */
export const userAttributeNames = {
  contract: [
    'sub',
    'email',
    'email_verified',
    'phone_number',
    'phone_number_verified',
    'given_name',
    'family_name',
    'pool:user_status',
    'pool:email_alias',
  ],
  extension: [
    'name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'address',
    'updated_at',
    'identities',
    'pool:phone_number_alias',
  ],
} as const

/** What a notice of an attempted account takeover carries instead of the user's own attributes. Extension. */
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

/** Attribute values are always text; `email_verified` is `'true'` or `'false'`. Any other name may occur. */
export type UserAttributes = {
  [K in (typeof userAttributeNames)['contract' | 'extension'][number]]?: string
} & { [name: string]: string | undefined }

/** The attributes of an account-takeover notice. */
export type TakeoverAttributes = { [K in (typeof takeoverAttributeNames)[number]]?: string } & {
  [name: string]: string | undefined
}

/** Values of `pool:user_status`. The contract shows CONFIRMED alone; the others are an extension. */
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

export type UserStatus = (typeof userStatuses)[number]
