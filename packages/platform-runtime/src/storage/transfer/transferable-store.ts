import type { DataDirectory } from '../data-directory.ts'
import type { StorageEngine } from '../storage-engine.ts'
import type { RecordKind, Transfer } from './transfer.ts'

/** A store that can be copied from one engine to another. */
export interface TransferableStore {
  /** The name of the store's storage port. */
  readonly name: string
  readonly kinds: readonly RecordKind[]
  /**
   * Opens the store in the files of a data directory.
   * @param notice is called with a sentence about records that are damaged and left out
   */
  readonly inFiles: (directory: DataDirectory, notice: (text: string) => void) => Promise<Transfer>
  /** Opens the store in an engine. */
  readonly inEngine: (engine: StorageEngine) => Promise<Transfer>
  /**
   * The environment variable that may hold the key for the store's secrets, and the folder of the key file that is
   * used otherwise.
   */
  readonly secret?: { readonly variable: string; readonly folder: string }
}

/** Opens the records of a store that an engine keeps. */
export async function engineTransfer(engine: StorageEngine, name: string): Promise<Transfer> {
  const transfer = engine.transfer?.(name)
  if (transfer === undefined) throw new Error(`The storage engine cannot copy the data of the port ${name}.`)
  return transfer
}
