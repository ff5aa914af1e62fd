import { SignalboxError } from '@signalbox/core/base'

/** A source refuses what the console asks for: an unknown name, or a value that it does not take. */
export class RefusedError extends SignalboxError {
  override readonly name = 'RefusedError'
  readonly code = 'REFUSED'
}
