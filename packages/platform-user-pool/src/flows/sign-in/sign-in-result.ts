import type { NewBrowserSession } from '../../oidc/new-browser-session.ts'
import type { Tokens } from '../../tokens/issue-tokens.ts'

/** The result of a step of a sign-in: tokens, or a challenge. */
export type SignInResult =
  | { readonly tokens: SignInTokens }
  /** The result on a hosted page. */
  | { readonly browser: NewBrowserSession }
  | {
      readonly challenge: string
      readonly parameters: { readonly [name: string]: string }
      readonly session: string | undefined
      /** The challenges that the user may choose in the flow `choice`. */
      readonly available?: readonly string[]
    }

interface SignInTokens extends Tokens {
  readonly RefreshToken?: string
  /** The keys of a device that is new to the pool, which the client can confirm. */
  readonly NewDeviceMetadata?: { readonly DeviceKey: string; readonly DeviceGroupKey: string }
}
