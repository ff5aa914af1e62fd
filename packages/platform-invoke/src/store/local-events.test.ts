import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { eventOf, workOf } from './event-store.ts'
import { localEvents } from './local-events.ts'

it('a database of events of the first layout is upgraded, with its events', async () => {
  const database = new DatabaseSync(':memory:')
  database.exec(`create table events (number integer primary key autoincrement, id text not null unique,
    function text not null, payload text not null, client_context text, accepted_at integer not null,
    due_at integer not null, attempts integer not null default 0, refusals integer not null default 0, failure text,
    lease integer not null default 0, is_taken integer not null default 0) strict;
    insert into events (id, function, payload, accepted_at, due_at) values ('new', 'work', '{"text":"\\u0000"}', 10, 10);
    insert into events (id, function, payload, client_context, accepted_at, due_at, attempts, refusals, is_taken)
    values ('running', 'work', '1', '{}', 20, 9000, 2, 3, 1);
    insert into events (id, function, payload, accepted_at, due_at, attempts, failure)
    values ('failed', 'work', '1', 30, 40, 3, '{"condition":"RetriesExhausted","payload":"2"}'); pragma user_version = 1`)
  const queue = localEvents(database, 50)
  const { work } = await queue.claim('work', 50, 9)
  expect(work.map(({ putAt }) => putAt)).toEqual([10, 20, 30])
  expect(work.map(eventOf)).toEqual([
    {
      ...{ id: 'new', functionName: 'work', payload: '{"text":"\\u0000"}', clientContext: undefined },
      ...{ attempts: 1, refusals: 0, failure: undefined },
    },
    {
      ...{ id: 'running', functionName: 'work', payload: '1', clientContext: '{}' },
      ...{ attempts: 3, refusals: 3, failure: undefined },
    },
    {
      ...{ id: 'failed', functionName: 'work', payload: '1', clientContext: undefined },
      ...{ attempts: 3, refusals: 0, failure: { condition: 'RetriesExhausted', payload: '2' } },
    },
  ])
  await queue.put(
    workOf({
      ...{ id: 'later', functionName: 'rest', payload: '1' },
      ...{ clientContext: undefined, tenantId: undefined },
    }),
    50,
  )
  expect(await queue.counts()).toEqual(
    new Map([
      ['work', 3],
      ['rest', 1],
    ]),
  )
  await queue.close()
})

it('a database of events that a later version wrote is refused', () => {
  const database = new DatabaseSync(':memory:')
  database.exec('pragma user_version = 3')
  expect(() => localEvents(database, 0)).toThrow('layout 3')
})
