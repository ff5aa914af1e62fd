import { formatProblems, type Problem } from '@signalbox/codec'
import { SignalboxError } from '@signalbox/core'

/**
 * The reason for a failure when a record breaks the contract or the codec refuses its body. Only this message fails.
 */
export class InvalidMessageError extends SignalboxError {
  override readonly name = 'InvalidMessageError'
  readonly code = 'INVALID_MESSAGE'
  declare readonly messageId: string
  /** The problems. Their pointers start at the record, so `/body/amount` is a field of the body. */
  declare readonly problems: readonly Problem[]

  constructor(messageId: string, problems: readonly Problem[], options?: ErrorOptions) {
    super(`Message ${messageId} cannot be read:\n${formatProblems(problems)}`, options)
    this.messageId = messageId
    this.problems = problems
  }
}

/** The reason for a failure when a message never started or did not end in time. */
export class UnhandledMessageError extends SignalboxError {
  override readonly name = 'UnhandledMessageError'
  readonly code = 'UNHANDLED_MESSAGE'
  declare readonly why: 'group stopped' | 'out of time' | 'not finished in time'

  constructor(why: UnhandledMessageError['why']) {
    super(explanations[why])
    this.why = why
  }
}

const explanations = {
  'group stopped': 'An earlier message of the same group failed, so this one is redelivered with it.',
  'out of time': 'The invocation had too little time left to start this message.',
  'not finished in time': 'The message was still being handled when the answer was due.',
} as const

/**
 * Thrown when another copy of the message is being handled. This copy is redelivered, and is then skipped if the other
 * copy has succeeded.
 */
export class MessageInProgressError extends SignalboxError {
  override readonly name = 'MessageInProgressError'
  readonly code = 'MESSAGE_IN_PROGRESS'

  constructor() {
    super('Another copy of this message is being handled.')
  }
}

/** Thrown for an id that no message of the batch has. An unknown id in a response would make the whole batch fail. */
export class UnknownMessageError extends SignalboxError {
  override readonly name = 'UnknownMessageError'
  readonly code = 'UNKNOWN_MESSAGE'
}

/**
 * Thrown when every message of a batch fails and `throwWhenAllFail` is on. Its cause is the reason for the first
 * failure.
 */
export class BatchFailedError extends SignalboxError {
  override readonly name = 'BatchFailedError'
  readonly code = 'BATCH_FAILED'
}
