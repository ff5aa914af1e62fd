import type { Invocation, InvocationContext } from '@signalbox/core'
import type { TriggerEvent } from './contract/index.ts'

/** What a challenge is made of, as its `create` says. */
export interface ChallengeParameters {
  /** What the client is shown. */
  readonly publicParameters?: Readonly<Record<string, string>>
  /** What `verify` needs to know. Nobody else ever sees it. */
  readonly privateParameters?: Readonly<Record<string, string>>
}

/** What `verify` goes by. */
export interface ChallengeAttempt {
  /** What the user answered. */
  readonly answer: string
  /** What `create` kept for this. */
  readonly privateParameters: Readonly<Record<string, string>>
  readonly event: TriggerEvent<'VerifyAuthChallengeResponse_Authentication'>
}

/** One step of custom authentication. */
export interface Challenge {
  /** Tells challenges apart. The platform remembers it as the challenge's metadata. */
  readonly name: string
  /**
   * Puts the challenge. Called again for every attempt. With `event.request.userNotFound` there is no such user:
   * answer as if there were one.
   */
  readonly create: (
    event: TriggerEvent<'CreateAuthChallenge_Authentication'>,
    context: InvocationContext,
    invocation: Invocation,
  ) => ChallengeParameters | Promise<ChallengeParameters>
  /** Whether the answer is right. Compare texts with `sameAnswer`. */
  readonly verify: (
    attempt: ChallengeAttempt,
    context: InvocationContext,
    invocation: Invocation,
  ) => boolean | Promise<boolean>
}
