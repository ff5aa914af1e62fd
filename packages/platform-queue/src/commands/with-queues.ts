import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '@signalbox/core/base'
import { systemRandom, unknownName } from '@signalbox/platform-runtime'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import { DataDirectoryInUseError, dataDirectory, readHolder } from '@signalbox/platform-runtime/storage'
import { queuesPart } from '../config/queues-part.ts'
import { createQueues } from '../create-queues.ts'
import type { QueueStoreErrorCode } from '../store/queue-store-error.ts'
import { type LocalStore, localStore } from '../store/sqlite/local-store.ts'

/** Milliseconds between two tries, and until they end, while somebody has the files who listens for nobody. */
const lockRetryDelay = 20
const lockTimeout = 2000

/** What queues say of one that is not there. */
const notFound: readonly QueueStoreErrorCode[] = ['QUEUE_NOT_FOUND', 'RESOURCE_NOT_FOUND']

/** How the queues of a configuration are reached. */
export interface QueueAccess {
  /** Their store, when no box is running. */
  readonly store: LocalStore | undefined
  /** Their listener, when one is. */
  readonly url: string | undefined
}

/**
 * Works with the queues of a configuration, through its box when that is running, and otherwise on its files: those
 * that are not there yet are made, as the box would make them.
 * @throws Error that names the nearest queue, when there is none of the name that the work is about, and for one that
 * another engine keeps
 */
export async function withQueues<T>(
  given: string | undefined,
  terminal: CommandContext,
  queue: string,
  work: (reach: QueueAccess) => Promise<T>,
): Promise<T> {
  const { settings } = await terminal.project(given)
  const { dataDir } = settings
  const queues = settings.of(queuesPart)?.queues ?? []
  if (dataDir === undefined) throw new Error('This configuration keeps its queues in memory.')
  const { engine } = queues.find(({ name }) => name === queue) ?? {}
  if (engine !== undefined)
    throw new Error(
      `The queue ${queue} is kept by another engine, ${engine.endpoint ?? 'the provider'}: only queues of the box can be worked with.`,
    )
  const workOn = (reach: QueueAccess) =>
    work(reach).catch(error => {
      if (!notFound.includes(error.code)) throw error
      const names = queues.flatMap(({ name, attributes: { deadLetter } }) =>
        deadLetter === undefined ? [name] : [name, deadLetter.queue],
      )
      throw new Error(unknownName('queue', queue, [...new Set(names)]), { cause: error })
    })
  const directory = dataDirectory(dataDir)
  // A box that is just starting will listen soon, and another command will soon be through.
  for (const end = systemClock.now() + lockTimeout; ; await delay(lockRetryDelay)) {
    try {
      directory.lock()
      break
    } catch (error) {
      if (!(error instanceof DataDirectoryInUseError)) throw error
      const url = readHolder(dataDir)?.queues
      if (url !== undefined) return await workOn({ store: undefined, url })
      if (systemClock.now() > end) throw new Error('The box that is running has no queues.', { cause: error })
    }
  }
  try {
    const store = localStore(directory.open('queues'), systemClock, systemRandom)
    try {
      await createQueues(queues, store)
      return await workOn({ store, url: undefined })
    } finally {
      await store.close()
    }
  } finally {
    directory.release()
  }
}
