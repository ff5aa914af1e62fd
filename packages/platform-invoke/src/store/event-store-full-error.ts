import { SignalboxError } from '@signalbox/core/base'

/** Thrown when there is no space for more events. */
export class EventStoreFullError extends SignalboxError {
  override readonly name = 'EventStoreFullError'
  readonly code = 'EVENT_STORE_FULL'
}
