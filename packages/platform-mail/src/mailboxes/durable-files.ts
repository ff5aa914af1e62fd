import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes a folder and its parents, readable only by their owner. Resolves when they are durable. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  const top = dirname(first)
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    await syncFolder(folder)
    if (folder === top || folder === dirname(folder)) return
  }
}

/**
 * Writes a file under a temporary name, and renames it when it is durable.
 * @param modified the modification time in milliseconds since the epoch. Default now.
 */
export async function placeFile(
  temporary: string,
  final: string,
  pieces: Iterable<Buffer>,
  modified?: number,
): Promise<void> {
  const file = await open(temporary, 'w', 0o600)
  try {
    for (const piece of pieces) await file.writeFile(piece)
    // Adds half a millisecond, because the file system can round the time down.
    const seconds = modified === undefined ? undefined : (modified + 0.5) / 1000
    if (seconds !== undefined) await file.utimes(seconds, seconds)
    await file.sync()
  } catch (error) {
    // On a full disk, the incomplete file would waste space.
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  } finally {
    await file.close()
  }
  await rename(temporary, final)
  await syncFolder(dirname(final))
}

async function syncFolder(path: string): Promise<void> {
  // Windows refuses to sync folders (EPERM), and makes their entries durable by itself.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
