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
  await once(other, 'message')
  const log = open(path)
  log.append(loggedEntry)
  expect(await log.list()).toHaveLength(1)
  await log.close()
  await once(other, 'exit')
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
  database.exec('pragma user_version = 3')
  database.close()
  const bytes = readFileSync(path)
  expect(() => open(path)).toThrow(UnknownLayoutError)
  expect(() => open(path)).toThrow(
    `The invocations in ${path} have layout 3, and this version of Signalbox knows layouts up to 2`,
  )
  expect(readFileSync(path).equals(bytes)).toBe(true)
})

it('an invocation log in the oldest layout can be read, searched and continued', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'invocation-log.sqlite')
  const first = open(path)
  for (const requestId of ['a', 'b', 'c']) first.append({ ...loggedEntry, requestId })
  await first.close()
  const database = new DatabaseSync(path)
  database.exec('drop table segments; drop table grams; pragma user_version = 1')
  database.close()
  const log = open(path)
  log.append({ ...loggedEntry, requestId: 'd' })
  const page = await log.search({ last: 2 })
  expect([page.entries.map(({ requestId }) => requestId), page.before]).toEqual([['d', 'c'], 3])
  const rest = await log.search({ last: 2, before: 3 })
  expect([rest.entries.map(({ requestId }) => requestId), rest.before]).toEqual([['b', 'a'], undefined])
  expect((await log.search({ last: 2, requestId: 'b' })).entries.map(({ id }) => id)).toEqual([2])
  let visited = 0
  await log.scan({ from: 0, to: 1 }, () => visited++)
  expect(visited).toBe(4)
  await log.close()
})
