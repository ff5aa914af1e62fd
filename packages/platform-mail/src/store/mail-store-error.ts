import { SignalboxError } from '@signalbox/core/base'

/** The reason why a mail store refused an operation. */
export type MailStoreErrorCode =
  /** There is no disk space. The same mail might be accepted later. */
  | 'STORAGE_FULL'
  /** The storage engine is unavailable. The operation might have taken effect nevertheless. */
  | 'UNAVAILABLE'
  /** The store accepts no mail, because the platform is stopping. */
  | 'STOPPED'
  /** The mail was stored in the meantime, because its client sent it twice at the same time. */
  | 'ALREADY_ACCEPTED'
  /** A decision on the mail is forgotten, or its client sent other content in the meantime, which was decided on. */
  | 'DECISION_REPLACED'
  | 'MAIL_NOT_FOUND'
  | 'AMBIGUOUS_MAIL'
  | 'MAIL_NOT_QUEUED'
  | 'MAIL_HELD'
  | 'MAIL_NOT_HELD'
  | 'NO_DELIVERY'

/**
 * The error when a mail store refuses an operation. Only an operation with the code `UNAVAILABLE` might have had an
 * effect.
 */
export class MailStoreError extends SignalboxError {
  override readonly name = 'MailStoreError'
  readonly code: MailStoreErrorCode

  constructor(code: MailStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Returns the error for a mail that does not fit on the disk. */
export function storageFull(options?: ErrorOptions): MailStoreError {
  return new MailStoreError('STORAGE_FULL', 'There is no space for mail: the disk is full.', options)
}

/** Returns the error for a mail that was stored through another connection in the meantime. */
export function alreadyAccepted(): MailStoreError {
  return new MailStoreError('ALREADY_ACCEPTED', 'The same mail was accepted on another connection.')
}

/** Returns the error for a mail whose decision is no longer remembered for its content. */
export function decisionReplaced(): MailStoreError {
  return new MailStoreError(
    'DECISION_REPLACED',
    'The decision on this content of the mail is not remembered any more.',
  )
}

/** Returns whether a mail was not stored because the same mail was. */
export function isAlreadyAccepted(error: unknown): boolean {
  return error instanceof MailStoreError && error.code === 'ALREADY_ACCEPTED'
}

/** Returns whether work failed because the mail storage is unavailable, which can end at any moment. */
export function isUnavailable(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === 'UNAVAILABLE'
}

/** Returns the error for the beginning of an id that matches no queued mail or several queued mails. */
export function notOneMail(name: string, matches: 'none' | 'several'): MailStoreError {
  const mail = `mail whose id begins with ${JSON.stringify(name)}`
  return matches === 'none'
    ? new MailStoreError('MAIL_NOT_FOUND', `There is no ${mail}. For all ids, run: signalbox mail status`)
    : new MailStoreError('AMBIGUOUS_MAIL', `There is more than one ${mail}. Give more of its id.`)
}

/** Returns the error for a mail without pending work. */
export function notQueued(id: string): MailStoreError {
  return new MailStoreError(
    'MAIL_NOT_QUEUED',
    `The mail ${id} is not queued: it waits for nothing. For what became of it, run: signalbox mail status`,
  )
}

/** Returns the error for an operation that does not fit the state of a queued mail. */
export function wrongState(id: string, code: 'MAIL_HELD' | 'MAIL_NOT_HELD' | 'NO_DELIVERY'): MailStoreError {
  const texts = {
    MAIL_HELD: `The mail ${id} is held. Release it first.`,
    MAIL_NOT_HELD: `The mail ${id} is not held.`,
    NO_DELIVERY: `The mail ${id} waits for a function, not for a delivery.`,
  } as const
  return new MailStoreError(code, texts[code])
}
