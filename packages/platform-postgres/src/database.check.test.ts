import { expect, it } from '@jest/globals'
import { openDatabase } from './database.ts'
import { layOut } from './layout/lay-out.ts'
import { notifications } from './notifications.ts'
import { databaseProxy } from './testing/database-proxy.ts'
import { testServer } from './testing/server-suite.ts'

const test = testServer()

/** Opens a database behind a proxy, and frequently checks that the server answers. */
async function setup() {
  const proxy = await databaseProxy(test.server.url)
  const options = test.options({ url: proxy.url })
  const database = openDatabase(options)
  await layOut(database, options.schema)
  const notes = notifications(options, database, 'platform', { interval: 50, limit: 200 })
  await new Promise<void>(resolve => notes.listen(topic => topic === undefined && resolve()))
  return { proxy, database, notes }
}

it('when a connection breaks between two statements, only the current transaction fails', async () => {
  const { proxy, database, notes } = await setup()
  const transaction = database.transaction(async query => {
    await query('select 1')
    proxy.leave()
    // Waits until the client has noticed the broken connection.
    await new Promise(resolve => setTimeout(resolve, 20))
    await query('select 2')
  })
  await expect(transaction).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  proxy.comeBack()
  expect(await database.query('select 3 as number')).toEqual([{ number: 3 }])
  await notes.close()
  await database.close()
  await proxy.close()
})

it('a statement fails when the answer to its commit is lost, even if the database has made the change', async () => {
  const { proxy, database, notes } = await setup()
  await notes.close()
  await database.query('create table things (thing text)')
  const insert = (thing: string) => database.query('insert into things values ($1)', [thing])
  for (const when of ['before', 'after'] as const) {
    // Opens a connection with another statement, so that the insert is not its first one.
    await database.query('select 1')
    const cut = proxy.cut(when)
    await expect(insert(when)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    await cut
  }
  expect(await database.query('select thing from things')).toEqual([{ thing: 'after' }])
  await database.close()
  await proxy.close()
})

it('statements fail after a short time while the network loses all packets, and succeed afterwards', async () => {
  const { proxy, database, notes } = await setup()
  proxy.fallSilent()
  const all = [
    ...Array.from({ length: 500 }, () => database.query('select 1 as number')),
    database.transaction(query => query('select 1 as number')),
  ]
  const results = await Promise.allSettled(all)
  const codes = new Set(results.map(result => result.status === 'rejected' && result.reason.code))
  expect([...codes]).toEqual(['DATABASE_UNAVAILABLE'])
  await database.idle()
  proxy.comeBack()
  expect(await database.query('select 3 as number')).toEqual([{ number: 3 }])
  proxy.fallSilent()
  // Closing does not hang even while the network loses all packets.
  await notes.close()
  await database.close()
  await proxy.close()
})

it.each([
  ['refuses to write, as a standby does', 'default_transaction_read_only to on', 'create table things ()'],
  ['cancels a statement that takes too long', 'statement_timeout to 50', 'select pg_sleep(60)'],
])('when the server %s, the next statement gets a new connection', async (_, setting, statement) => {
  const database = openDatabase(test.options({ connections: 1 }))
  const run = () => database.transaction(query => query(statement))
  await database.query(`set ${setting}`)
  await expect(run()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  expect(await database.query('show default_transaction_read_only')).toEqual([
    { default_transaction_read_only: 'off' },
  ])
  expect(await database.query('show statement_timeout')).toEqual([{ statement_timeout: '30s' }])
  await database.close()
})
