import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { systemClock } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { postgresEngine } from '@signalbox/platform-postgres'
import { databaseProxy } from '@signalbox/platform-postgres/testing/database-proxy'
import { testServer } from '@signalbox/platform-postgres/testing/server-suite'
import { type InvocationLog, invocationLogStorage } from '@signalbox/platform-runtime/invocation-log'
import { loggedEntry, logOptions } from '@signalbox/platform-runtime/invocation-log/testing/logged-entry'
import { localAccessStore, localInvocationLog } from '@signalbox/platform-runtime/platform/testing/parts'
import { dataDirectory } from '@signalbox/platform-runtime/storage'
import { generator } from '@signalbox/platform-runtime/testing/generator'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import fc from 'fast-check'
import { fillPlatform, projectToCopy } from '../testing/project-to-copy.ts'
import { spawnCommand } from '../testing/spawned-command.ts'

const database = testServer()

beforeEach(() => {
  process.env.SIGNALBOX_USER_POOL_KEY = Buffer.alloc(32, 7).toString('base64')
})
afterEach(() => {
  delete process.env.SIGNALBOX_USER_POOL_KEY
})

const kills = 3
const entries = 1300

/** Adds entries to the logs in a data directory. */
async function fillLogs(dataDir: string) {
  const directory = dataDirectory(dataDir)
  const log = localInvocationLog(directory.open('invocation-log'), logOptions({ size: 1e8 }))
  for (let number = 0; number < entries; number++)
    log.append({
      ...loggedEntry,
      requestId: `r-${number}`,
      functionName: number % 3 === 0 ? 'shop' : 'stock',
      family: number % 5 === 0 ? undefined : 'queue',
      started: 1_700_000_000_000 + number / 4,
      event: JSON.stringify({ number, text: 'ä\u2028😀' }),
      payload: number % 7 === 0 ? '' : `{"token":"secret-${number}","text":"\0"}`,
      failure: number % 11 === 0 ? { kind: 'error', type: 'Error', message: 'It failed.' } : undefined,
      verdict: number % 13 === 0 ? undefined : { kind: 'answered', ok: number % 2 === 0, text: 'a "text"' },
      logs: number % 17 === 0 ? [{ stream: 'out', text: `line ${number}` }] : [],
    } as Parameters<InvocationLog['append']>[0])
  await log.close()
  const access = localAccessStore(directory, { age: 1e15, clock: manualClock() })
  await access.log.write(
    Array.from({ length: 30 }, (_, number) => ({
      ...{ first: 60_000 * number, last: 60_000 * number + 5, count: number + 1 },
      ...{ identity: number % 2 === 0 ? 'ann' : undefined, source: 'queues', operation: 'SendMessage' },
      ...{ resource: number % 3 === 0 ? 'orders' : undefined, result: 'allowed', address: '192.0.2.7' },
    })),
  )
  await access.close()
}

/**
 * Returns all rows of a schema as JSON, in order, without the numbers that the database assigns. Skips the two tables
 * that heartbeats and periodic work can change at any time.
 */
async function rowsOf(schema: string) {
  const tables = await database.query(
    `select table_name as name, bool_or(column_name = 'sequence') as numbered from information_schema.columns
     where table_schema = $1 and table_name not in ('platforms', 'jobs') group by 1 order by 1`,
    [schema],
  )
  const all: { [table: string]: unknown } = {}
  for (const { name, numbered } of tables) {
    const rows = await database.query(
      `select to_jsonb(t) - 'sequence' as row from ${schema}.${name} t
       order by ${numbered === true ? 't.sequence' : '1'}`,
    )
    all[String(name)] = rows.map(({ row }) => JSON.stringify(row))
  }
  return all
}

/** Returns all rows of the SQLite databases in a folder, and all other files. */
function filesOf(folder: string) {
  const all: { [path: string]: unknown } = {}
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = join(folder, path)
    if (!statSync(file).isFile() || /^(?:lock|platform|databases)\b|-(?:wal|shm)$/.test(path)) continue
    if (!path.endsWith('.sqlite')) {
      all[path] = [Math.floor(statSync(file).mtimeMs), digest(readFileSync(file))]
      continue
    }
    const sqlite = new DatabaseSync(file, { readOnly: true })
    const tables = sqlite.prepare("select name from sqlite_schema where type = 'table'").all()
    // The numbers in the tables of the invocation log depend on when the copy was killed. Its entries are compared
    // separately.
    for (const { name } of tables)
      if (!/^(?:invocation_log|invocations|facts|searched_.*)$/.test(String(name)))
        all[`${path} ${name}`] = sqlite
          .prepare(`select * from "${name}"`)
          .all()
          .map(row => JSON.stringify(row))
          .sort()
    sqlite.close()
  }
  return all
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function entriesInFiles(dataDir: string) {
  const log = localInvocationLog(dataDirectory(dataDir).open('invocation-log'), logOptions({ size: 1e8 }))
  const found = await log.list({ last: 2 * entries })
  await log.close()
  return found
}

async function entriesInDatabase(schema: string) {
  const engine = await postgresEngine(
    { url: database.server.url, schema, connections: 2 },
    { clock: undefined },
  )
  const log = await engine.opener(invocationLogStorage)(logOptions({ clock: systemClock, age: 1e15 }))
  const found = await log.list({ last: 2 * entries })
  await log.close()
  await engine.close()
  return found
}

/** Returns the lines that state the number and the digest of copied records. */
const copied = (printed: string) => printed.split('\n').filter(line => / copied, digest /.test(line))

it('storage copy copies everything exactly once in both directions, even if it is killed at random moments', async () => {
  const seed = fc.readConfigureGlobal().seed!
  const random = generator(seed)
  using folder = temporaryFolder()
  let count = 0
  let atPiece = () => {}
  const proxy = await databaseProxy(database.server.url, () => {
    count++
    atPiece()
  })
  const path = (name: string) => join(folder.path, name)
  /** Writes each project into its own folder, because a process reads a configuration file only once. */
  const project = (schema: string, dataDir: string) => {
    const own = path(`${schema}-${dataDir}`)
    mkdirSync(own)
    return { ...projectToCopy(own, proxy.url, schema, path(dataDir)), folder: own }
  }

  /** Runs the copy in several processes that are killed at different moments, and then in one that is not killed. */
  const copyKilled = async (cwd: string, from: string, to: string, pieces: number) => {
    let killed = 0
    for (let number = 0; number <= kills; number++) {
      await using command = spawnCommand(['storage', 'copy', from, to], cwd)
      const [moment, pause] = [count + 1 + random() * pieces * 0.7, random() * 20]
      atPiece = () => {
        if (count < moment || number === kills) return
        atPiece = () => {}
        setTimeout(() => command.process.kill('SIGKILL'), pause)
      }
      const { code, printed, printedErrors } = await command.exit
      expect({ seed, errors: printedErrors }).toEqual({ seed, errors: '' })
      if (code === null) killed++
      else expect(code).toBe(0)
      if (number === kills) return { killed, printed }
    }
    throw new Error('The last process always returns.')
  }

  const whole = project('whole', 'source')
  await fillPlatform(whole.inFiles())
  await fillLogs(path('source'))
  const started = count
  const once = await whole.copy('files', 'database')
  expect(once).toMatchObject({ code: 0, errors: '' })
  const pieces = count - started

  const parts = project('parts', 'source')
  const there = await copyKilled(parts.folder, 'files', 'database', pieces)
  expect(there.killed).toBeGreaterThan(0)
  expect(copied(there.printed)).toEqual(copied(once.printed))
  expect(copied(once.printed)).toContainEqual(expect.stringMatching(/^invocations: 1300 copied/))
  expect(copied(once.printed)).toContainEqual(expect.stringMatching(/^access log: 30 copied/))
  expect({ seed, rows: await rowsOf('parts') }).toEqual({ seed, rows: await rowsOf('whole') })
  const source = await entriesInFiles(path('source'))
  expect(source).toHaveLength(entries)
  expect(await entriesInDatabase('parts')).toEqual(source)

  const onceBack = await project('whole', 'back-whole').copy('database', 'files')
  expect(onceBack).toMatchObject({ code: 0, errors: '' })
  const backParts = project('whole', 'back-parts')
  const back = await copyKilled(backParts.folder, 'database', 'files', pieces)
  expect(back.killed).toBeGreaterThan(0)
  expect(copied(back.printed)).toEqual(copied(once.printed))
  expect({ seed, files: filesOf(path('back-parts')) }).toEqual({ seed, files: filesOf(path('back-whole')) })
  expect(await entriesInFiles(path('back-parts'))).toEqual(source)
  await proxy.close()
}, 600_000)
