import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { localStore } from './local-store.ts'

it('a database with the first user-pool layout is migrated to the current layout', async () => {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    create table users (pool text not null, id text not null, name text not null, status text not null,
      enabled integer not null, attributes text not null, password text, password_expires integer,
      sign_in_names text not null, created integer not null, modified integer not null, revision integer not null,
      primary key (pool, id)) strict, without rowid;
    create table credentials (pool text not null, kind text not null, id text not null, user text not null,
      expires integer not null, value text not null, primary key (pool, kind, id)) strict, without rowid;
    create index credentials_by_end on credentials (expires);
    insert into users values ('p', 'u', 'ann', 'CONFIRMED', 1, '{}', null, null, '["ann"]', 1, 2, 3);
    pragma user_version = 1;
  `)
  const store = localStore(database)
  const { revision, ...ann } = (await store.user('p', 'u'))!
  expect(ann).toMatchObject({ name: 'ann', factors: undefined, created: 1, modified: 2 })
  const factors = { enabled: ['sms' as const] }
  await store.change({ pool: 'p', now: 3, users: [{ user: { ...ann, factors }, was: revision }] })
  expect(await store.user('p', 'u')).toMatchObject({ factors, revision: 4 })
  expect(database.prepare("select name from sqlite_schema where name = 'credentials_by_end'").all()).toEqual(
    [],
  )
  await store.close()
})
