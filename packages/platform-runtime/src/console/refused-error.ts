import { SignalboxError } from '@signalbox/core/base'

/** A source refuses a request of the console because a name is unknown or a value is invalid. */
export class RefusedError extends SignalboxError {
  override readonly name = 'RefusedError'
  readonly code = 'REFUSED'
}
