import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@signalbox/core'
import type { Terminal } from '../command-line/terminal.ts'
import { settingsOf } from '../config/settings.ts'
import { DataDirectoryInUseError, dataDirectory } from '../data-directory/data-directory.ts'
import { systemRandom } from '../random.ts'
import { addressFile } from '../sources/queue/queues.ts'
import { type LocalStore, localStore } from '../sources/queue/store/local-store.ts'
import { configFor } from './config-option.ts'

/** How the queues of a configuration are reached. */
export interface Reach {
  /** Their store, when no box is running. */
  readonly store: LocalStore | undefined
  /** Their listener, when one is. */
  readonly url: string | undefined
}

/** Works with the queues of a configuration, through its box when that is running, and otherwise on its files. */
export async function withQueues<T>(
  given: string | undefined,
  terminal: Terminal,
  work: (reach: Reach) => Promise<T>,
): Promise<T> {
  const { config, file, root } = await configFor(given, terminal)
  const { dataDir } = settingsOf(config, root, file)
  if (dataDir === undefined) throw new Error('This configuration keeps its queues in memory.')
  const directory = dataDirectory(dataDir)
  try {
    directory.lock()
  } catch (error) {
    if (error instanceof DataDirectoryInUseError) return work({ store: undefined, url: listenerOf(dataDir) })
    throw error
  }
  const store = localStore(directory.open('queues'), systemClock, systemRandom)
  try {
    return await work({ store, url: undefined })
  } finally {
    await store.close()
    directory.release()
  }
}

function listenerOf(dataDir: string): string {
  try {
    return (JSON.parse(readFileSync(join(dataDir, addressFile), 'utf8')) as { url: string }).url
  } catch (cause) {
    throw new Error('The box that is running has no queues.', { cause })
  }
}
