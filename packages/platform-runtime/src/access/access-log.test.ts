import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { localAccessLog, readLocalAccessLog } from './access-log.ts'

const start = 1_700_000_040_000
const record = {
  identity: 'shop',
  source: 'queues',
  operation: 'SendMessage',
  resource: 'orders',
  result: 'allowed',
  address: '192.0.2.1',
}

function opened() {
  const folder = temporaryFolder()
  const clock = manualClock(start)
  const notices: string[] = []
  const database = new DatabaseSync(join(folder.path, 'log.sqlite'))
  database.exec('pragma journal_mode = wal')
  const log = localAccessLog(database, { age: 3_600_000, clock, notice: text => notices.push(text) })
  const read = (query = {}) => readLocalAccessLog(folder.path, 'log', query)
  return { clock, notices, database, log, read, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

it('the access log joins equal records within a minute into one entry, and keeps others separate', async () => {
  using setup = opened()
  expect(setup.read()).toEqual([])
  setup.log.add(record)
  setup.log.add({ ...record, result: 'denied' })
  setup.log.add({ ...record, identity: undefined, resource: undefined, result: 'InvalidSignature' })
  await setup.clock.advance(1000)
  setup.log.add(record)
  await setup.clock.advance(60_000)
  setup.log.add(record)
  setup.log.close()
  expect(setup.read().map(({ id: _, ...entry }) => entry)).toEqual([
    { ...record, result: 'denied', first: start, last: start, count: 1 },
    {
      ...record,
      identity: undefined,
      resource: undefined,
      result: 'InvalidSignature',
      first: start,
      last: start,
      count: 1,
    },
    { ...record, first: start, last: start + 1000, count: 2 },
    { ...record, first: start + 61_000, last: start + 61_000, count: 1 },
  ])
  expect(setup.read({ refused: true })).toHaveLength(2)
  expect(setup.read({ identity: 'shop', last: 1 })).toMatchObject([{ first: start + 61_000 }])
})

it('the access log does not fill the memory or the disk when clients try many names', async () => {
  using setup = opened()
  for (let number = 0; number < 5000; number++)
    setup.log.add({ ...record, identity: undefined, resource: `r${number}`, address: `192.0.2.${number}` })
  setup.log.close()
  const entries = setup.read({ last: 10_000 })
  expect(entries).toHaveLength(2001)
  expect(entries.find(({ address }) => address === 'several')).toMatchObject({ count: 3000 })
})

it('the access log combines its filters, and finds records that it has not written yet', () => {
  using setup = opened()
  setup.log.add(record)
  setup.log.add({
    ...record,
    source: 'mail',
    operation: 'MAIL',
    resource: 'shop@example.com',
    result: 'denied',
  })
  setup.log.add({ ...record, identity: 'other', address: '192.0.2.77' })
  const found = (query: object) =>
    setup.log.read(query).map(({ identity, source }) => `${identity} ${source}`)
  expect(found({})).toEqual(['shop queues', 'shop mail', 'other queues'])
  expect(found({ source: 'queues', identity: 'shop' })).toEqual(['shop queues'])
  expect(found({ text: '@example' })).toEqual(['shop mail'])
  expect(found({ text: '2.77' })).toEqual(['other queues'])
  expect(found({ text: 'SendM', identity: 'other' })).toEqual(['other queues'])
  expect(found({ text: "' or 1 = 1" })).toEqual([])
  expect(found({ refused: true })).toEqual(['shop mail'])
  setup.log.close()
})

it('the access log deletes old entries', async () => {
  using setup = opened()
  setup.log.add(record)
  await setup.clock.advance(7_200_000)
  for (let number = 0; number < 1000; number++) setup.log.add({ ...record, resource: `r${number}` })
  setup.log.close()
  expect(setup.read({ last: 2000 })).toHaveLength(1000)
})

it('an access log that cannot be written is reported once', async () => {
  using setup = opened()
  setup.database.exec('drop table access_log')
  setup.log.add(record)
  await setup.clock.advance(1000)
  setup.log.add(record)
  await setup.clock.advance(1000)
  expect(setup.notices).toEqual([
    expect.stringContaining('The access log cannot be written, and misses entries: no such table'),
  ])
})
