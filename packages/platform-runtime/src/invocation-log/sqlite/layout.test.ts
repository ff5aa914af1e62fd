import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { expect, it } from '@jest/globals'
import { DamagedFileError } from '../../storage/damaged-file.ts'
import { UnknownLayoutError } from '../../storage/layout-of.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { loggedEntry, logOptions } from '../testing/invocation-log-suite.ts'
import { localInvocationLog } from './local-invocation-log.ts'

function open(path: string) {
  return localInvocationLog(new DatabaseSync(path), logOptions({ size: 1e9 }))
}

it('an invocation log waits while another process prepares the same database', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'invocation-log.sqlite')
  const other = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
    const database = new (require('node:sqlite').DatabaseSync)(workerData)
    database.exec('begin exclusive; create table other (id)')
    parentPort.postMessage('locked')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    database.exec('commit')
    database.close()`,
    { eval: true, workerData: path },
  )
  const ended = once(other, 'exit')
  await once(other, 'message')
  const log = open(path)
  log.append(loggedEntry)
  expect(await log.list()).toHaveLength(1)
  await log.close()
  await ended
})

it('the error about a file that is not an invocation log names the file', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'invocation-log.sqlite')
  writeFileSync(path, 'x'.repeat(5000))
  expect(() => open(path)).toThrow(DamagedFileError)
  expect(() => open(path)).toThrow(
    `The invocations in ${path} are damaged: file is not a database. Move the file away`,
  )
})

it('the error about a damaged invocation log names the file', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'invocation-log.sqlite')
  const log = open(path)
  for (let i = 0; i < 300; i++)
    log.append({ ...loggedEntry, event: JSON.stringify(randomBytes(999).toString('hex')) })
  await log.close()
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0x5a, 16384))
  await expect(async () => open(path).list()).rejects.toThrow(
    `The invocations in ${path} are damaged: database disk image is malformed`,
  )
})

it('an invocation log that was written by a later version is refused, and stays unchanged', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'invocation-log.sqlite')
  const database = new DatabaseSync(path)
  database.exec('pragma user_version = 5')
  database.close()
  const bytes = readFileSync(path)
  expect(() => open(path)).toThrow(UnknownLayoutError)
  expect(() => open(path)).toThrow(
    `The invocations in ${path} have layout 5, and this version of Signalbox knows layouts up to 4`,
  )
  expect(readFileSync(path).equals(bytes)).toBe(true)
})

it('entries of the layout without traces are kept', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'invocation-log.sqlite')
  const before = open(path)
  before.append(loggedEntry)
  const entries = await before.list()
  await before.close()
  const database = new DatabaseSync(path)
  database.exec(`drop index invocations_by_trace; drop index invocations_with_links;
    alter table invocations drop column trace_id; alter table invocations drop column parent_id;
    alter table invocations drop column links; pragma user_version = 3`)
  database.close()
  const log = open(path)
  expect(await log.list()).toEqual(entries)
  const trace = { traceId: 'a'.repeat(32), parentId: 'b'.repeat(16), links: [] }
  log.append({ ...loggedEntry, trace })
  expect(await log.trace(trace.traceId)).toMatchObject([{ trace }])
  await log.close()
})

it('entries of an earlier layout are deleted with a notice, and their ids are not assigned again', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'invocation-log.sqlite')
  const database = new DatabaseSync(path)
  database.exec(`create table blocks (last integer primary key autoincrement, packed blob);
    create table segments (last integer primary key); create table grams (last integer primary key);
    create table access_log (id integer primary key); insert into access_log values (7);
    insert into blocks values (500, zeroblob(100000)); pragma user_version = 2`)
  database.close()
  const notices: string[] = []
  const notice = (text: string) => notices.push(text)
  const log = localInvocationLog(new DatabaseSync(path), logOptions({ notice }))
  expect(notices).toEqual([
    expect.stringMatching(/^The invocation log begins again after #500: an earlier version/),
  ])
  log.append(loggedEntry)
  expect((await log.list()).map(({ id }) => id)).toEqual([501])
  await log.close()
  const after = new DatabaseSync(path)
  expect(after.prepare('select id from access_log').all()).toEqual([{ id: 7 }])
  after.close()
  await localInvocationLog(new DatabaseSync(path), logOptions({ notice })).close()
  expect(notices).toHaveLength(1)
})
