import { expect, it } from '@jest/globals'
import { testServer } from '../../../platform-postgres/src/testing/server-suite.ts'
import { consolePlatform } from '../testing/console-platform.ts'

const database = testServer()

it('the console lists the platforms that share a database, with their addresses', async () => {
  const storage = { postgres: { url: database.server.url, schema: 'console' } }
  const config = { queues: { orders: {} }, queueListener: { port: 0 }, storage }
  await using one = await consolePlatform(config)
  await using other = await consolePlatform(config)
  const { body } = await one.api.get('/platforms')
  const platform = (url: string) =>
    expect.objectContaining({
      process: process.pid,
      isAlive: true,
      addresses: expect.arrayContaining([{ source: 'queues', url }]),
    })
  expect(body).toEqual({
    isShared: true,
    platforms: [platform(one.url('queues')), platform(other.url('queues'))],
  })
})

it('the console says when a platform shares its data with no other', async () => {
  await using own = await consolePlatform({ functions: {} })
  expect((await own.api.get('/platforms')).body).toEqual({ isShared: false, platforms: [] })
})
