import { QueueStoreError } from '@signalbox/platform-queue/store'
import { DatabaseUnavailableError } from '../database-error.ts'

/** Turns a DatabaseUnavailableError into the error that the queue-store interface defines. */
export async function available<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error
    throw new QueueStoreError('UNAVAILABLE', error.message, { cause: error })
  }
}
