import { eventStorage, executionStorage } from '@signalbox/platform-invoke/store'
import { mailStorage } from '@signalbox/platform-mail/store'
import { queueStorage } from '@signalbox/platform-queue/store'
import { randomUuid, systemRandom } from '@signalbox/platform-runtime'
import { accessStorage } from '@signalbox/platform-runtime/access'
import { sessionStorage } from '@signalbox/platform-runtime/console'
import { invocationLogStorage, invocationTransfer } from '@signalbox/platform-runtime/invocation-log'
import type { StorageContext, StorageEngine, StoragePort } from '@signalbox/platform-runtime/storage'
import { userPoolStorage } from '@signalbox/platform-user-pool/store'
import pg from 'pg'
import { accessLogTable } from './access/access-log-table.ts'
import { bucketTable } from './access/bucket-table.ts'
import { keyTable } from './access/key-table.ts'
import { checkServer } from './check-server.ts'
import { sessionTable } from './console/session-table.ts'
import { connectionSettings, openDatabase } from './database.ts'
import { DatabaseUnavailableError, unreachable } from './database-error.ts'
import { executionStore } from './executions/execution-store.ts'
import { invocationEntries } from './invocation-log/invocation-entries.ts'
import { invocationLog } from './invocation-log/invocation-log.ts'
import { layOut } from './layout/lay-out.ts'
import { storedMails } from './mail/stored-mails.ts'
import { notifications } from './notifications.ts'
import { periodicWork } from './periodic-work.ts'
import type { PostgresOptions } from './postgres-options.ts'
import { platformsOf, presence } from './presence.ts'
import { queueStore } from './queue/queue-store.ts'
import { reservation } from './reservation.ts'
import { postgresTransfer } from './transfer/postgres-transfer.ts'
import { recordTables } from './transfer/record-tables.ts'
import { userPoolStore } from './user-pool/user-pool-store.ts'
import { workQueue } from './work/work-queue.ts'

/**
 * Opens the storage of a platform in PostgreSQL. It creates the tables, or brings them to the layout of this version.
 * It uses the clock of the database, unless a test passes a clock of its own.
 * @throws UnknownLayoutError when a later version has changed the tables; DatabaseUnavailableError when the database
 * cannot be reached; IncompleteDataError when an earlier copy was stopped; Error while another process has reserved
 * the database, and for a server that cannot keep the data: checkServer
 * @example
 * const engine = await postgresEngine({ url, schema: 'signalbox', connections: 10 }, { clock: undefined })
 * const store = await engine.opener(queueStorage)({ clock, random, notice })
 */
export async function postgresEngine(
  options: PostgresOptions,
  {
    clock,
    allowsIncomplete = false,
    notice,
    observe,
  }: Pick<StorageContext, 'clock' | 'allowsIncomplete' | 'observe'> & Partial<Pick<StorageContext, 'notice'>>,
): Promise<StorageEngine> {
  const database = openDatabase(options, observe)
  const reserved = reservation(options, database)
  try {
    await checkServer(options)
    await layOut(database, options.schema, notice)
    await reserved.refuse()
    if (!allowsIncomplete) await reserved.refuseIncomplete()
  } catch (error) {
    await database.close()
    if (!(error instanceof DatabaseUnavailableError)) throw error
    throw unreachable(new pg.Client(connectionSettings(options)), error)
  }
  const platformId = randomUuid(systemRandom)
  const periodic = periodicWork(database)
  const present = await presence(database, periodic, platformId)
  const usesGivenTime = clock !== undefined
  const shared = {
    database,
    notifications: notifications(options, database, platformId),
    periodic,
    usesGivenTime,
    given: () => (clock === undefined ? null : Math.floor(clock.now())),
    platformId,
  }
  const openers = [
    provide(queueStorage, async context => queueStore({ ...shared, ...context })),
    provide(eventStorage, async () => workQueue(shared, 'event_work')),
    provide(executionStorage, async () => executionStore(shared)),
    provide(mailStorage, async () => storedMails(shared)),
    provide(userPoolStorage, async () => userPoolStore(database, platformId, usesGivenTime)),
    provide(invocationLogStorage, async options => invocationLog(database, options)),
    provide(accessStorage, async options => {
      const keys = await keyTable(database, periodic)
      const buckets = bucketTable(database, periodic, shared.given)
      const close = async () => void (await Promise.all([keys.close(), buckets.close()]))
      return { keys, log: accessLogTable(database, options), buckets, close }
    }),
    provide(sessionStorage, async () => sessionTable(database, platformId, shared.given)),
  ]
  return {
    opener<Open>(port: StoragePort<Open>): Open {
      const found = openers.find(({ name }) => name === port.name)
      if (found === undefined) throw new Error(`PostgreSQL does not keep the data of the port ${port.name}.`)
      return found.open as Open
    },
    transfer(port) {
      if (port === invocationLogStorage.name) return invocationTransfer(invocationEntries(database))
      const tables = recordTables[port]
      return tables && postgresTransfer(database, tables)
    },
    async announce(addresses) {
      // A reservation looks for announced platforms only after it has its lock. So either it finds this platform, or
      // this platform finds the lock.
      await present.announce(addresses)
      await reserved.refuse()
    },
    reserve: reserved.reserve,
    platforms: () => platformsOf(database),
    async close() {
      await present.end()
      await reserved.close()
      await shared.notifications.close()
      await database.close()
    },
  }
}

/** Returns a port with the function that opens its store. The compiler checks that their types match. */
function provide<Open>({ name }: StoragePort<Open>, open: Open) {
  return { name, open: open as unknown }
}
