import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

/** Bytes of a disk that sends leave free, or a tenth of a disk that is small. */
const reserve = 32 * 1024 * 1024

/**
 * Whether there is room for more messages. Some is kept free, since a queue that has filled the disk to the last
 * byte could not even be emptied: receiving and deleting are written down too.
 */
export function roomOf(database: DatabaseSync): () => boolean {
  const file = String(database.prepare('pragma database_list').get()?.file ?? '')
  if (file === '') return () => true
  const folder = dirname(file)
  return () => {
    const { bavail, blocks, bsize } = statfsSync(folder)
    return bavail * bsize >= Math.min(reserve, (blocks * bsize) / 10)
  }
}
