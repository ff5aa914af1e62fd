import { expect, it } from '@jest/globals'
import { openDatabase } from '../database.ts'
import { testServer } from '../testing/server-suite.ts'
import { layOut, steps } from './lay-out.ts'
import { eventWorkLayout } from './work-layout.ts'

const test = testServer()
const { options, query } = test

it('several platforms can create the tables of a schema at the same time, and creating them again is harmless', async () => {
  const chosen = options()
  const platforms = Array.from({ length: 4 }, () => openDatabase(chosen))
  await Promise.all(platforms.map(database => layOut(database, chosen.schema)))
  await layOut(platforms[0]!, chosen.schema)
  expect(await platforms[0]!.query('select count(*)::integer as rows from layout')).toEqual([{ rows: 1 }])
  await Promise.all(platforms.map(database => database.close()))
})

it('a schema that a later version of the platform has created is refused and left unchanged', async () => {
  const chosen = options()
  const database = openDatabase(chosen)
  await layOut(database, chosen.schema)
  await query(`update ${chosen.schema}.layout set version = 99`)
  await expect(layOut(database, chosen.schema)).rejects.toThrow(
    /have layout 99, and this version of Signalbox knows layouts up to \d/,
  )
  expect(await query(`select version from ${chosen.schema}.layout`)).toEqual([{ version: 99 }])
  await database.close()
})

it('a user who owns the schema, but can create no schemas, can create the tables', async () => {
  await query('create role tenant login')
  const chosen = options({ url: test.server.url.replace('signalbox@', 'tenant@') })
  await query(`create schema ${chosen.schema} authorization tenant`)
  const database = openDatabase(chosen)
  await layOut(database, chosen.schema)
  const tables = 'select distinct tableowner as owner from pg_tables where schemaname = current_schema()'
  expect(await database.query(tables)).toEqual([{ owner: 'tenant' }])
  await database.close()
})

it('the entries of an earlier invocation log are deleted with a notice, and their ids are not assigned again', async () => {
  const chosen = options()
  const database = openDatabase(chosen)
  await layOut(database, chosen.schema, undefined, steps.slice(0, steps.indexOf(eventWorkLayout)))
  // The last of these steps added these columns, and removed this one.
  await database.query(`alter table logged_invocations drop column payload, drop column result, drop column logs,
      drop column rest, add column other text not null;
    insert into logged_invocations values (7, 'r', 'shop', 'web', null, 1, 1, 0, 0, null, true, false, 9, '{}', 'ok', '[]');
    update invocation_log set last_id = 7, size = 9;
    update layout set version = version - 1`)
  const notices: string[] = []
  for (const _ of [1, 2]) await layOut(database, chosen.schema, text => notices.push(text))
  expect(notices).toEqual([expect.stringMatching(/^The invocation log begins again after #7: /)])
  expect(await database.query('select last_id, size from invocation_log')).toEqual([{ last_id: 7, size: 0 }])
  expect(await database.query('select from logged_invocations')).toEqual([])
  await database.close()
})
