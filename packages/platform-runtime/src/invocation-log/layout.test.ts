import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { DamagedJournalError } from './damaged-journal.ts'
import type { NewInvocationLogEntry } from './entry.ts'
import { openJournal } from './journal.ts'
import { UnknownJournalError } from './layout.ts'

const first = `create table invocations (
  id integer primary key autoincrement, bytes integer not null, started integer not null, duration real not null,
  request_id text not null, function text not null, family text, source text not null, attempt integer not null,
  generation integer not null, masked integer not null, failure_kind text, failure_message text, verdict_kind text,
  verdict_ok integer, verdict_text text, event text not null, payload text not null, logs text not null) strict`

const entry: NewInvocationLogEntry = {
  requestId: 'r',
  functionName: 'shop',
  source: 'invoke',
  family: undefined,
  attempt: 1,
  generation: 1,
  started: 0,
  duration: 1,
  event: '{}',
  payload: '',
  failure: undefined,
  verdict: undefined,
  logs: [],
}

function open(path: string) {
  return openJournal(new DatabaseSync(path), { size: 1e9, age: 1e9 }, manualClock())
}

function journalWithRows(path: string, ids: readonly number[], event: string): void {
  const database = new DatabaseSync(path)
  database.exec(first)
  const insert = database.prepare(
    `insert into invocations values (?, 1, 7, 3, 'r', 'shop', null, 'invoke', 1, 2, 0, 'timeout', 'late', 'answered', 1, '200 OK', ?, '{}', '[{"stream":"out","text":"é"}]')`,
  )
  database.exec('begin')
  for (const id of ids) insert.run(id, event)
  database.exec('commit')
  database.close()
}

describe('an invocation log of the first layout', () => {
  it('is taken over, with its ids', () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'invocation-log.sqlite')
    const ids = [...Array.from({ length: 1200 }, (_, i) => i + 5), 2000]
    journalWithRows(path, ids, '{"path":"/é"}')
    const journal = open(path)
    expect(journal.list({ last: 9999 }).map(({ id }) => id)).toEqual(ids)
    expect(journal.get(2000)).toEqual({
      id: 2000,
      requestId: 'r',
      functionName: 'shop',
      family: undefined,
      source: 'invoke',
      attempt: 1,
      generation: 2,
      started: 7,
      duration: 3,
      masked: false,
      failure: { kind: 'timeout', message: 'late' },
      verdict: { kind: 'answered', ok: true, text: '200 OK' },
      event: '{"path":"/é"}',
      payload: '{}',
      logs: [{ stream: 'out', text: 'é' }],
    })
    expect(journal.get(1999)).toBeUndefined()
    journal.record({ ...journal.get(5)!, requestId: 'next' })
    expect(journal.list({ last: 1 })).toMatchObject([{ id: 2001, requestId: 'next' }])
    journal.close()
  })

  it('gives no id again, though everything was deleted from it', () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'invocation-log.sqlite')
    journalWithRows(path, [41, 42], '{}')
    const database = new DatabaseSync(path)
    database.exec('delete from invocations')
    database.close()
    const journal = open(path)
    journal.record(entry)
    expect(journal.list()).toMatchObject([{ id: 43 }])
    journal.close()
  })

  it('loses the secrets that are known by now, to the last byte', () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'invocation-log.sqlite')
    journalWithRows(path, [1, 2, 3], '{"password":"hunter2-hunter2"}')
    const journal = open(path)
    expect(journal.get(3)).toMatchObject({ event: '{"password":"***"}', masked: true })
    journal.close()
    expect(readFileSync(path).toString('latin1')).not.toContain('hunter2')
  })
})

it('waits for another process that lays it out at the same time', async () => {
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
  const journal = open(path)
  journal.record(entry)
  expect(journal.list()).toHaveLength(1)
  journal.close()
  await once(other, 'exit')
})

it('a file that is no journal is told of by its name', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'invocation-log.sqlite')
  writeFileSync(path, 'x'.repeat(5000))
  expect(() => open(path)).toThrow(DamagedJournalError)
  expect(() => open(path)).toThrow(
    `The invocation log ${path} is damaged: file is not a database. Move it away`,
  )
})

it('a file that is damaged is told of by its name when it is read', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'invocation-log.sqlite')
  const journal = open(path)
  for (let i = 0; i < 300; i++)
    journal.record({ ...entry, event: JSON.stringify(randomBytes(999).toString('hex')) })
  journal.close()
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0x5a, 16384))
  expect(() => open(path).list()).toThrow(
    `The invocation log ${path} is damaged: database disk image is malformed`,
  )
})

it('an invocation log of a later layout is refused, and not written to', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'invocation-log.sqlite')
  const database = new DatabaseSync(path)
  database.exec('pragma user_version = 3')
  database.close()
  const bytes = readFileSync(path)
  expect(() => open(path)).toThrow(UnknownJournalError)
  expect(() => open(path)).toThrow('The invocation log has layout 3, and this version of Signalbox knows 2')
  expect(readFileSync(path).equals(bytes)).toBe(true)
})
