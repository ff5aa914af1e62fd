import type { LimitsConfig } from '../fields/limits.ts'
import type { AccessKey } from '../signature/signature-v4.ts'
import type { RightsConfig } from './access-config.ts'

/** The identities in a configuration, with the secrets of their keys. */
export interface AccessSettings {
  readonly identities: readonly IdentitySettings[]
}

interface IdentitySettings {
  readonly name: string
  readonly keys: readonly AccessKey[]
  readonly rights: RightsConfig
  readonly limits?: LimitsConfig | undefined
}

/** The identity of the command line, which has all rights. A configuration cannot define it. */
export const operatorName = 'operator'
