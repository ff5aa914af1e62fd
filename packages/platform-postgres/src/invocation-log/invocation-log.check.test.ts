import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { invocationLogStorage } from '@signalbox/platform-runtime/invocation-log'
import {
  invocationLogSuite,
  loggedEntry,
  logOptions,
} from '@signalbox/platform-runtime/invocation-log/testing/invocation-log-suite'
import { kilobyte } from '@signalbox/platform-runtime/invocation-log/testing/logged-entry'
import { type Database, openDatabase } from '../database.ts'
import { layOut } from '../layout/lay-out.ts'
import { postgresEngine } from '../postgres-engine.ts'
import { testServer } from '../testing/server-suite.ts'
import { invocationLog } from './invocation-log.ts'

const database = testServer()
const { options } = database

invocationLogSuite('PostgreSQL', async logOptions => {
  const shared = options()
  const engines: Awaited<ReturnType<typeof postgresEngine>>[] = []
  const open = async (own: typeof logOptions) => {
    const engine = await postgresEngine(shared, { clock: undefined })
    engines.push(engine)
    return engine.opener(invocationLogStorage)(own)
  }
  return {
    log: await open(logOptions),
    openAgain: open,
    end: async () => {
      for (const engine of engines) await engine.close()
    },
  }
})

const openWith = async (own: Parameters<typeof logOptions>[0]) => {
  const engine = await postgresEngine(options(), { clock: undefined })
  return { log: await engine.opener(invocationLogStorage)(logOptions(own)), close: engine.close }
}

it('a platform whose clock is 400 days ahead deletes nothing early from a PostgreSQL invocation log', async () => {
  const now = Date.now()
  const { log, close } = await openWith({ clock: manualClock(now + 400 * 86_400_000) })
  log.append({ ...loggedEntry, started: now })
  await log.flush()
  expect(await log.list()).toHaveLength(1)
  await log.close()
  await close()
})

it('a PostgreSQL invocation log keeps entries while the server is down, and writes them later', async () => {
  const clock = manualClock()
  const notices: string[] = []
  const { log, close } = await openWith({ clock, notice: text => notices.push(text) })
  log.append(loggedEntry)
  await log.flush()
  await database.server.kill()
  for (const requestId of ['r-2', 'r-3']) log.append({ ...loggedEntry, requestId })
  await log.flush()
  expect(notices).toEqual([
    'The invocation log cannot be written now: The database is not available. Try again later.',
  ])
  await expect(log.list()).rejects.toThrow('The database is not available')
  await database.server.start()
  await clock.advance(1000)
  await log.flush()
  expect((await log.list()).map(({ requestId }) => requestId)).toEqual(['r-1', 'r-2', 'r-3'])
  await log.close()
  await close()
})

it('a PostgreSQL invocation log reports an entry that the database refuses, and writes later entries', async () => {
  const notices: string[] = []
  const { log, close } = await openWith({ notice: text => notices.push(text) })
  log.append({ ...loggedEntry, requestId: 'r\0' })
  await log.flush()
  log.append({ ...loggedEntry, payload: 'a text with \0 and \ud800' })
  expect(await log.list()).toMatchObject([{ payload: 'a text with \0 and \ud800' }])
  expect(notices).toEqual([expect.stringMatching(/^The invocation log .* misses entries: /)])
  await log.close()
  await close()
})

it('a platform deletes nothing from a PostgreSQL invocation log when another platform has just reduced it to its limit', async () => {
  const chosen = options()
  const database = openDatabase(chosen)
  await layOut(database, chosen.schema)
  let [reportDelete, continueDelete] = [() => {}, () => {}]
  const deletes = new Promise<void>(resolve => {
    reportDelete = resolve
  })
  const continued = new Promise<void>(resolve => {
    continueDelete = resolve
  })
  const slow: Database = {
    ...database,
    async query(text, values) {
      if (text.includes('over (order by id)')) {
        reportDelete()
        await continued
      }
      return database.query(text, values)
    },
  }
  const own = logOptions({ size: 100_000 })
  const [log, slowLog] = [invocationLog(database, own), invocationLog(slow, own)]
  for (let number = 0; number < 100; number++) slowLog.append(kilobyte())
  const flushed = slowLog.flush()
  await deletes
  log.append(loggedEntry)
  await log.flush()
  const left = await log.list({ last: 1000 })
  continueDelete()
  await flushed
  expect(await log.list({ last: 1000 })).toEqual(left)
  await slowLog.close()
  await log.close()
  await database.close()
})
