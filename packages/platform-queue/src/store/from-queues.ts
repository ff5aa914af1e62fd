import { fromFiles } from '@signalbox/platform-runtime/storage'

/** Works with a database of queues. Throws DamagedFileError for a file that is damaged. */
export const fromQueues = fromFiles(
  'The queues',
  'Put a copy of the file back, or move it away: then all queues begin empty.',
)
