import { describe, expect, it, jest } from '@jest/globals'
import { InvalidOptionError, signalbox } from '@signalbox/core'
import { storeSuite } from '@signalbox/core/store/store-suite'
import { invocationContext } from '@signalbox/core/testing'
import { get, loadBalancer, noContent, rateLimit } from '@signalbox/load-balancer'
import { exchange, httpEvent } from '@signalbox/load-balancer/testing'
import { queueEvent } from '@signalbox/queue/testing'
import pg from 'pg'
import { testServer } from '../testing/server-suite.ts'
import { type PostgresStoreOptions, postgresStore } from './postgres-store.ts'

const database = testServer()

function openPool() {
  const pool = new pg.Pool({ connectionString: database.server.url, max: 4 })
  pool.on('error', () => {})
  return pool
}

let tables = 0
const newTable = () => `marks_${tables++}`

storeSuite('postgresStore', async () => {
  const table = newTable()
  const pool = openPool()
  return {
    store: postgresStore(pool, { table }),
    pass: async ms =>
      void (await pool.query(`update ${table} set expires = expires - $1 * interval '1 millisecond'`, [ms])),
    end: () => pool.end(),
  }
})

describe('postgresStore', () => {
  it('lets exactly one of many processes claim a key, even when the table does not exist yet', async () => {
    const table = newTable()
    const pools = Array.from({ length: 4 }, openPool)
    const stores = pools.map(pool => postgresStore(pool, { table }))
    for (const key of ['a', 'b']) {
      const claims = await Promise.all(stores.map((store, at) => store.setIfAbsent(key, `${at}`, 60_000)))
      expect(claims.filter(isOwn => isOwn)).toHaveLength(1)
      expect(await stores[0]!.get(key)).toBe(String(claims.indexOf(true)))
    }
    await stores[0]!.delete('a')
    expect(await stores[1]!.get('a')).toBeUndefined()
    for (const pool of pools) await pool.end()
  })

  it('stores keys and values with any characters', async () => {
    const pool = openPool()
    const store = postgresStore(pool, { table: newTable() })
    const texts = ['\0', '\ud800', '\udc00', 'a\0b']
    for (const text of texts) expect(await store.setIfAbsent(text, text, 60_000)).toBe(true)
    expect(await Promise.all(texts.map(store.get))).toEqual(texts)
    await pool.end()
  })

  it('deletes the expired keys, and no others, after a number of writes', async () => {
    const pool = openPool()
    const table = newTable()
    const store = postgresStore(pool, { table })
    await store.set('lasting', 'v', 3_600_000)
    for (let number = 0; number < 20; number++) await store.set(`old ${number}`, 'v', -1)
    const keys = async () =>
      (await pool.query(`select count(*)::integer as count from ${table}`)).rows[0].count as number
    expect(await keys()).toBe(21)
    for (let number = 0; number < 500; number++) await store.set('other', 'v', 3_600_000)
    expect(await keys()).toBe(2)
    expect(await store.get('lasting')).toBe('v')
    await pool.end()
  })

  it('accepts a table name with a schema, and creates the table only when it writes', async () => {
    await database.query('create schema shop')
    const pool = openPool()
    const store = postgresStore(pool, { table: 'shop.marks' })
    expect(await store.get('a')).toBeUndefined()
    await store.delete('a')
    expect(await database.query("select to_regclass('shop.marks') as table")).toEqual([{ table: null }])
    await store.set('a', 'v', 60_000)
    expect(await store.get('a')).toBe('v')
    await pool.end()
  })

  it('rejects while the server is down, and works again when the server is back', async () => {
    const pool = openPool()
    const store = postgresStore(pool, { table: newTable() })
    await store.set('a', 'v', 3_600_000)
    await database.server.kill()
    const attempts = [store.get('a'), store.setIfAbsent('b', 'v', 1000), store.delete('a')]
    for (const each of await Promise.allSettled(attempts)) expect(each.status).toBe('rejected')
    await database.server.start()
    expect(await store.get('a')).toBe('v')
    await pool.end()
  })

  it('counts the requests of a client to all functions that share the table', async () => {
    const pools = [openPool(), openPool()]
    const table = newTable()
    const handlers = pools.map(pool => {
      const limited = rateLimit({ store: postgresStore(pool, { table }), limit: 5, window: 1e12 })
      return signalbox(loadBalancer([get('/', () => noContent())])).use(limited)
    })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => exchange(handlers[at % 2]!, httpEvent('GET', '/'))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 204),
      ...Array.from({ length: 5 }, () => 429),
    ])
    for (const pool of pools) await pool.end()
  })

  it.each<[string, PostgresStoreOptions]>([
    ['a table name with invalid characters', { table: 'marks; drop table users' }],
    ['an unknown option', { tabel: 'marks' } as PostgresStoreOptions],
  ])('refuses %s', (_, options) => {
    expect(() => postgresStore({ query: async () => ({ rows: [] }) }, options)).toThrow(InvalidOptionError)
  })

  it('throws for a client without a query() method', () => {
    expect(() => postgresStore('postgres://localhost' as never)).toThrow('takes a pg.Pool')
  })
})

it('the handler in the README handles a repeated message only once', async () => {
  const before = process.env.DATABASE_URL
  process.env.DATABASE_URL = database.server.url
  const printed = jest.spyOn(console, 'log').mockImplementation(() => {})
  jest.spyOn(console, 'error').mockImplementation(() => {})
  try {
    const { handler } = await import('../testing/once-handler.ts')
    const event = queueEvent({ bodies: ['order 7'] })
    for (let time = 0; time < 2; time++)
      expect(await handler(event, invocationContext())).toEqual({ batchItemFailures: [] })
    expect(printed.mock.calls).toEqual([['Shipping', 'order 7']])
  } finally {
    printed.mockRestore()
    if (before === undefined) delete process.env.DATABASE_URL
    else process.env.DATABASE_URL = before
  }
})
