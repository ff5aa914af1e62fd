import type { Tokens } from '../../tokens/issue-tokens.ts'
import type { NewBrowserSession } from './new-browser-session.ts'

/** The result of a sign-in step, which is tokens or a challenge. */
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
  /** The keys of a device that the pool does not know yet. The client can confirm the device. */
  readonly NewDeviceMetadata?: { readonly DeviceKey: string; readonly DeviceGroupKey: string }
}
