import type { ContractPage } from './contract-rows.ts'

/** The reasons why no case can violate a row, by the anchor of the row. A `*` at the end matches any ending. */
export type Exceptions = { readonly [row: string]: string }

const openName = 'other names are possible, and nothing follows from this one'

export const exceptions: { readonly [P in ContractPage]: Exceptions } = {
  'user-pool': {
    'challenge.SMS_MFA': openName,
    'challenge.DEVICE_SRP_AUTH': openName,
    'challenge.DEVICE_PASSWORD_VERIFIER': openName,
    'challenge.ADMIN_NO_SRP_AUTH': openName,
    'status.*': 'the value is a text, so that a status that platforms add does not break functions',
  },
  queue: {},
  'mail-flow': {},
  'load-balancer': {
    'limits.location': 'the platform is in one place, so a function cannot be in another one',
  },
}
