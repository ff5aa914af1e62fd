import { SignalboxError } from '@signalbox/core/base'

/** A mail was not taken, and nothing of it is stored. It may be sent again later. */
export class MailStoreError extends SignalboxError {
  override readonly name = 'MailStoreError'
  readonly code: 'STORAGE_FULL' | 'STOPPED'

  constructor(code: 'STORAGE_FULL' | 'STOPPED', message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The answer to whoever brings a mail for which there is no room. */
export function storageFull(options?: ErrorOptions): MailStoreError {
  return new MailStoreError('STORAGE_FULL', 'There is no room left for mail: the disk is full.', options)
}
