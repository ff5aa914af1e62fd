import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, it } from '@jest/globals'
import { databaseProxy } from '@signalbox/platform-postgres/testing/database-proxy'
import { testServer } from '@signalbox/platform-postgres/testing/server-suite'
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

it('the console reports that a platform without a shared database does not share its data', async () => {
  await using own = await consolePlatform({ functions: {} })
  expect((await own.api.get('/platforms')).body).toEqual({ isShared: false, platforms: [] })
})

it('a console link and its session are valid on every platform behind one load balancer, until sign-out', async () => {
  const proxy = await databaseProxy(database.server.url)
  const storage = { postgres: { url: proxy.url, schema: 'sessions' } }
  const origin = 'https://console.example'
  const config = { functions: {}, control: { port: 0, origin, open: true }, storage }
  await using one = await consolePlatform(config)
  await using other = await consolePlatform(config)
  const send = async (to: { readonly origin: string }, method: string, cookie: string, body = '') => {
    const own = { 'content-type': 'application/json', 'x-signalbox-console': '1' }
    const headers = { ...own, host: 'console.example', origin, cookie }
    const sent = request(`${to.origin}/console/api/session`, { method, headers })
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    return answer
  }
  const token = new URL(await one.platform.consoleLink()).hash.replace('#token=', '')
  const link = JSON.stringify({ token })
  const entered = await send(other, 'POST', '', link)
  const cookie = entered.headers['set-cookie']![0]!.split(';')[0]!
  expect(cookie).toMatch(/^__Host-signalbox-443=/)
  const status = async (to: { readonly origin: string }) => (await send(to, 'GET', cookie)).statusCode
  expect([(await send(one, 'POST', '', link)).statusCode, await status(one), await status(other)]).toEqual([
    403, 200, 200,
  ])

  proxy.leave()
  expect(await status(one)).toBe(503)
  proxy.comeBack()
  while ((await status(one)) !== 200);

  expect((await send(other, 'DELETE', cookie)).statusCode).toBe(204)
  expect([await status(one), await status(other)]).toEqual([401, 401])
  await one.platform.stop()
  await other.platform.stop()
  await proxy.close()
})
