import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '@signalbox/core/base'
import { systemRandom, unknownName } from '@signalbox/platform-runtime'
import { readOperatorKey } from '@signalbox/platform-runtime/access'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import { DataDirectoryInUseError, dataDirectory, readHolder } from '@signalbox/platform-runtime/storage'
import type { CallOptions } from '../api/call-operation.ts'
import { queuesPart } from '../config/queues-part.ts'
import { createQueues } from '../create-queues.ts'
import type { OwnQueueStore } from '../store/own-queue-store.ts'
import type { QueueStoreErrorCode } from '../store/queue-store-error.ts'
import { localStore } from '../store/sqlite/local-store.ts'
import { withEngineStore } from './with-engine-store.ts'

/** Milliseconds between two attempts to lock the data directory. */
const lockRetryDelay = 20
/** Milliseconds after which a command no longer waits for the lock. */
const lockTimeout = 2000

/** The error codes for a missing queue. */
const notFound: readonly QueueStoreErrorCode[] = ['QUEUE_NOT_FOUND', 'RESOURCE_NOT_FOUND']

/** Access to the queues. Exactly one of the two fields is set. */
export interface QueueAccess {
  /** The store of the queues, if no platform is running. */
  readonly store: OwnQueueStore | undefined
  /** The URL of the listener, if a platform is running. */
  readonly url: string | undefined
  /** The options for requests to a running platform. */
  readonly options?: CallOptions
}

/**
 * Runs a function with the queues of a configuration. Reaches them through the platform if it is running, and otherwise
 * opens its files. Creates configured queues that are missing, as the platform would.
 * @throws Error for an unknown queue, naming the most similar one, and for a queue of another engine
 */
export async function withQueues<T>(
  config: string | undefined,
  terminal: CommandContext,
  queue: string,
  work: (reach: QueueAccess) => Promise<T>,
): Promise<T> {
  const { settings } = await terminal.project(config)
  const { dataDir } = settings
  const { queues = [], queueListener } = settings.of(queuesPart) ?? {}
  const tls = queueListener?.tls
  if (dataDir === undefined && settings.storage === undefined)
    throw new Error('This configuration keeps its queues in memory. Set dataDir to keep them on disk.')
  const { engine } = queues.find(({ name }) => name === queue) ?? {}
  if (engine !== undefined)
    throw new Error(
      `The queue ${queue} is kept by another engine, ${engine.endpoint ?? 'the provider'}. Use the tools of that engine.`,
    )
  const workOn = (reach: QueueAccess) =>
    work(reach).catch(error => {
      if (!notFound.includes(error.code)) throw error
      const names = queues.flatMap(({ name, attributes: { deadLetter } }) =>
        deadLetter === undefined ? [name] : [name, deadLetter.queue],
      )
      throw new Error(unknownName('queue', queue, [...new Set(names)]), { cause: error })
    })
  if (settings.storage !== undefined)
    return withEngineStore(settings.storage, terminal.printError, async store => {
      await createQueues(queues, store)
      return workOn({ store, url: undefined })
    })
  const directory = dataDirectory(dataDir)
  // If a platform that is starting holds the lock, its listener will soon be ready. If another command holds it, that
  // command will soon end.
  for (const end = systemClock.now() + lockTimeout; ; await delay(lockRetryDelay)) {
    try {
      directory.lock()
      break
    } catch (error) {
      if (!(error instanceof DataDirectoryInUseError)) throw error
      const url = readHolder(dataDir!)?.urls.queues
      if (url !== undefined)
        return await workOn({ store: undefined, url, options: { key: readOperatorKey(dataDir!), tls } })
      if (systemClock.now() > end) throw new Error('The running platform has no queues.', { cause: error })
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
