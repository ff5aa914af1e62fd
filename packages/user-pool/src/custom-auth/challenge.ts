import type { Invocation, InvocationContext } from '@signalbox/core'
import type { TriggerEvent } from '../contract/index.ts'

/** The parameters of a challenge, which `create` returns. */
export interface ChallengeParameters {
  /** Parameters that the client gets. */
  readonly publicParameters?: Readonly<Record<string, string>>
  /** Parameters that only `verify` gets. */
  readonly privateParameters?: Readonly<Record<string, string>>
}

/** The answer to a challenge, with the data that `verify` needs to check it. */
export interface ChallengeAttempt {
  /** The user's answer. */
  readonly answer: string
  /** The private parameters from `create`. */
  readonly privateParameters: Readonly<Record<string, string>>
  readonly event: TriggerEvent<'VerifyAuthChallengeResponse_Authentication'>
}

/** A challenge in a custom authentication flow. */
export interface Challenge {
  /** Identifies the challenge. The platform stores this name as the metadata of the challenge. */
  readonly name: string
  /**
   * Creates the challenge. It is called for each attempt. When `event.request.userNotFound` is true, return the same
   * parameters as for an existing user.
   */
  readonly create: (
    event: TriggerEvent<'CreateAuthChallenge_Authentication'>,
    context: InvocationContext,
    invocation: Invocation,
  ) => ChallengeParameters | Promise<ChallengeParameters>
  /** Returns whether the answer is correct. Compare strings with `sameAnswer`. */
  readonly verify: (
    attempt: ChallengeAttempt,
    context: InvocationContext,
    invocation: Invocation,
  ) => boolean | Promise<boolean>
}
