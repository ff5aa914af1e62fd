import { SignalboxError } from '@signalbox/core/base'

/** Reports that a storage holds only a part of the data, because a copy or a restore into it was stopped. */
export class IncompleteDataError extends SignalboxError {
  override readonly name = 'IncompleteDataError'
  readonly code = 'INCOMPLETE_DATA'

  /** @param storage the storage, such as the path of a data directory */
  constructor(storage: string) {
    super(
      `${storage} holds only a part of the data, because \`signalbox storage copy\` or a restore was stopped. Run the same copy again, or empty ${storage}.`,
    )
  }
}
