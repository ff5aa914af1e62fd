import { expect, it } from '@jest/globals'
import { type Config, createPlatform } from '@signalbox/platform'
import { configProblems, settingsOf } from '@signalbox/platform/testing/whole-program'

it('the setting "storage" needs one engine with a URL, and its error messages show no password', () => {
  const storage = (value: unknown) => ({ queues: { orders: {} }, storage: value }) as Config
  const refused = (value: unknown) => {
    try {
      settingsOf(storage(value), '/')
    } catch (error) {
      return (error as Error).message
    }
    return undefined
  }
  expect(configProblems(storage(1))).toMatchObject([{ pointer: '/storage', expected: 'an object' }])
  expect(refused({ postgre: {} })).toContain('/storage/postgre: expected postgres')
  expect(refused({})).toContain('/storage: expected one storage engine')
  expect(refused({ postgres: {} })).toContain('/storage/postgres/url')
  expect(refused({ postgres: { url: 'mysql://me:secret@host' } })).toMatch(/postgres:\/\/(?![\s\S]*secret)/)
  expect(refused({ postgres: { url: 'postgres://me:secr/et@host/db' } })).toMatch(
    /percent-encoded special characters(?![\s\S]*secr)/,
  )
  expect(refused({ postgres: { url: 'postgres://me:p@/db?host=/run/postgresql' } })).toBeUndefined()
  expect(refused({ postgres: { url: 'postgres://h', schema: 'A b' } })).toContain('/storage/postgres/schema')
  expect(refused({ postgres: { url: 'postgres://host' } })).toBeUndefined()
})

it('an environment variable selects PostgreSQL when the configuration names no storage', async () => {
  const before = process.env.SIGNALBOX_POSTGRES_URL
  process.env.SIGNALBOX_POSTGRES_URL = 'postgres://host'
  try {
    expect(settingsOf({ queues: { orders: {} } }, '/').storage).toBeDefined()
    for (const url of ['mysql://me:secret@host/db', 'postgres://me:secr/et@host/db']) {
      process.env.SIGNALBOX_POSTGRES_URL = url
      const platform = createPlatform({
        queues: { orders: {} },
        queueListener: { port: 0 },
        dataDir: ':memory:',
      })
      await expect(platform.start()).rejects.toThrow(/^The URL of the database is invalid.(?!.*secr)/)
    }
  } finally {
    if (before === undefined) delete process.env.SIGNALBOX_POSTGRES_URL
    else process.env.SIGNALBOX_POSTGRES_URL = before
  }
  expect(settingsOf({ queues: { orders: {} } }, '/').storage).toBeUndefined()
})

it.each([
  ['127.0.0.1', 'connect ECONNREFUSED 127.0.0.1:1'],
  ['localhost', expect.stringContaining('ECONNREFUSED')],
  ['nowhere.invalid', expect.stringMatching(/ENOTFOUND|EAI_AGAIN/)],
])(
  'start() names the server of a database at %s that cannot be reached, and no password',
  async (host, why) => {
    const platform = createPlatform({
      queues: { orders: {} },
      queueListener: { port: 0 },
      storage: { postgres: { url: `postgres://me:secret@${host}:1/none` } },
      dataDir: ':memory:',
    })
    const { message } = await platform.start().then(
      () => new Error('started'),
      (error: Error) => error,
    )
    const [, server, reason] =
      /^The database at (.+) is not available: (.+)\. Check the server, and the URL of the database\.$/.exec(
        message,
      ) ?? []
    expect([server, reason]).toEqual([`${host}:1`, why])
    expect(message).not.toContain('secret')
  },
)
