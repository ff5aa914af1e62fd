/** The attributes that users of every pool may have and change. */
export const standardAttributes: readonly string[] = [
  'address',
  'birthdate',
  'email',
  'family_name',
  'gender',
  'given_name',
  'locale',
  'middle_name',
  'name',
  'nickname',
  'phone_number',
  'picture',
  'preferred_username',
  'profile',
  'updated_at',
  'website',
  'zoneinfo',
]

/** The attributes that tell whether an address is verified. */
export const verifications: readonly string[] = ['email_verified', 'phone_number_verified']
