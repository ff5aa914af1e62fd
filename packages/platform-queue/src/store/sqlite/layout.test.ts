import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { systemRandom } from '@signalbox/platform-runtime'
import { UnknownLayoutError } from '@signalbox/platform-runtime/storage'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { writeReceiptHandle } from '../receipt-handle.ts'
import { openQueueFile } from './queue-file.ts'
import { queueReports } from './queue-report.ts'

const now = 1_700_000_000_000

/** A database of the first layout, with a FIFO message in flight and another message after it. */
const first = `
create table queues (id integer primary key autoincrement, name text not null unique, attributes text not null, purged_at integer) strict;
create table messages (
  id integer primary key autoincrement, queue integer not null, visible_at integer not null, sent_at integer not null,
  receives integer not null default 0, received_before integer not null default 0, first_received_at integer,
  receipt text, lane text, group_id text, deduplication_id text, message_id text not null, sender text not null,
  trace_header text, dead_letter_source text, attributes text, body text not null) strict;
create index messages_by_visibility on messages (queue, visible_at, id);
create index messages_by_age on messages (queue, sent_at);
create index messages_by_lane on messages (queue, lane, id) where lane is not null;
create index messages_by_receipt on messages (queue, lane, visible_at) where lane is not null and receipt is not null;
create table groups (queue integer not null, lane text not null, ready_at integer not null, turn integer not null, primary key (queue, lane)) strict, without rowid;
create index groups_by_readiness on groups (queue, ready_at, turn);
create table deduplications (
  queue integer not null, token text not null, expires_at integer not null, message integer not null,
  message_id text not null, primary key (queue, token)) strict, without rowid;
create index deduplications_by_expiry on deduplications (expires_at);
insert into queues values (7, 'orders.fifo', '{"visibilityTimeout":30000,"retention":345600000}', null);
insert into messages values
  (3, 7, ${now + 1000}, ${now - 9000}, 1, 0, ${now - 8000}, 'abc', 'g', 'g', 'd1', 'm1', 'anonymous', null, null, null, 'one'),
  (4, 7, ${now - 9000}, ${now - 9000}, 0, 0, null, null, 'g', 'g', 'd2', 'm2', 'anonymous', null, null, null, 'two');
insert into queues values (8, 'mails', '{"visibilityTimeout":30000}', null);
insert into messages values
  (5, 8, ${now - 1000}, ${now - 9000}, 1, 0, ${now - 8000}, 'abc', null, null, null, 'm5', 'anonymous', null, null, null, 'five'),
  (6, 8, ${now - 5000}, ${now - 5000}, 0, 0, null, null, null, null, null, 'm6', 'anonymous', null, null, null, 'six');
insert into groups values (7, 'g', ${now + 1000}, 1);
insert into deduplications values (7, 'd2', ${now + 100_000}, 4, 'm2');
`

function firstLayout(folder: string): string {
  const path = join(folder, 'queues.sqlite')
  const database = new DatabaseSync(path)
  database.exec(first)
  database.close()
  return path
}

it('an upgrade from the first layout keeps messages, receipt handles, groups and deduplication ids', () => {
  using folder = temporaryFolder()
  const path = firstLayout(folder.path)
  const file = openQueueFile(new DatabaseSync(path), systemRandom)
  expect(file.attributes('orders.fifo')).toMatchObject({
    visibilityTimeout: 30_000,
    managedEncryption: true,
    retentionPeriod: 345_600_000,
  })
  expect(file.attributes('orders.fifo').createdAt).toBeGreaterThan(now)
  expect(file.receive('orders.fifo', now, { max: 10 })).toEqual([])
  const again = { body: 'again', group: 'g', deduplicationId: 'd2' }
  expect(file.send('orders.fifo', [again], now)).toMatchObject([{ messageId: 'm2' }])
  const receiptHandle = writeReceiptHandle(7, 3, 'abc')
  expect(file.changeVisibility('orders.fifo', [{ receiptHandle, timeout: 43_200_000 }], now)).toMatchObject([
    { code: 'INVALID_PARAMETER' },
  ])
  expect(file.deleteMessages('orders.fifo', [receiptHandle], now)).toEqual([undefined])
  expect(file.receive('orders.fifo', now, { max: 10 })).toMatchObject([{ body: 'two', receiveCount: 1 }])
  file.send('mails', [{ body: 'seven' }], now)
  const mails = file.receive('mails', now, { max: 10 })
  expect(mails.map(({ body }) => body)).toEqual(['five', 'six', 'seven'])
  file.close()
  const later = openQueueFile(new DatabaseSync(path), systemRandom)
  expect(later.depth('orders.fifo', now)).toMatchObject({ inFlight: 1 })
  later.close()
})

it('queues in a database with the first layout can be listed before the upgrade', () => {
  using folder = temporaryFolder()
  const database = new DatabaseSync(firstLayout(folder.path), { readOnly: true })
  expect(queueReports(database, now)).toMatchObject([
    { name: 'mails', visible: 2 },
    { name: 'orders.fifo', visible: 1, inFlight: 1 },
  ])
  database.close()
})

it('a database with a newer layout is refused and not changed', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'queues.sqlite')
  const database = new DatabaseSync(path)
  database.exec('pragma user_version = 5')
  database.close()
  const bytes = readFileSync(path)
  const open = () => openQueueFile(new DatabaseSync(path), systemRandom)
  expect(open).toThrow(UnknownLayoutError)
  expect(open).toThrow(
    `The queues in ${path} have layout 5, and this version of Signalbox knows layouts up to 4`,
  )
  expect(readFileSync(path).equals(bytes)).toBe(true)
})

it('the queue report shows no negative message age after the clock was set back', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'queues.sqlite')
  const file = openQueueFile(new DatabaseSync(path), systemRandom)
  file.createQueue('orders', now)
  file.send('orders', [{ body: 'x' }], now)
  file.close()
  const database = new DatabaseSync(path, { readOnly: true })
  expect(queueReports(database, now - 3_600_000)).toMatchObject([{ visible: 1, oldestAge: 0 }])
  database.close()
})
