import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from '@jest/globals'
import { type Config, createPlatform } from '@signalbox/platform'
import { databaseProxy } from '@signalbox/platform-postgres/testing/database-proxy'
import { testServer } from '@signalbox/platform-postgres/testing/server-suite'
import { createTransport } from 'nodemailer'

const database = testServer()

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Returns the number of bytes that this process keeps after garbage collection. */
async function keptBytes(): Promise<number> {
  // Closed sockets are freed in later turns of the event loop.
  for (let turn = 0; turn < 5; turn++) {
    await new Promise(setImmediate)
    collectGarbage()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const size = 200_000
const requests = 60
const megabyte = 1024 * 1024

it('memory usage stays level while the database server is away and clients send requests, messages and mails', async () => {
  process.env.SIGNALBOX_USER_POOL_KEY = process.env.SIGNALBOX_ACCESS_KEY = Buffer.alloc(32, 7).toString(
    'base64',
  )
  const proxy = await databaseProxy(database.server.url)
  const platform = createPlatform({
    functions: {
      web: {
        handler: async () => ({
          statusCode: 200,
          statusDescription: '200 OK',
          isBase64Encoded: false,
          headers: {},
          body: '',
        }),
      },
    },
    loadBalancers: { web: { port: 0, function: 'web' } },
    queues: { orders: {} },
    queueListener: { port: 0, open: true },
    mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } }, relay: 'keep' },
    control: { port: 0 },
    userPools: {
      staff: { id: 'eu-central-1_Staff03', clients: { web: { id: 'web', flows: ['password'] } } },
    },
    userPoolListener: { port: 0 },
    storage: { postgres: { url: proxy.url, schema: 'level' } },
    dataDir: ':memory:',
  } as Config)
  const addresses = await platform.start()
  const urlOf = (name: string) => addresses.find(({ source }) => source.startsWith(name))!.url
  const transport = createTransport({
    host: '127.0.0.1',
    port: Number(new URL(urlOf('mail')).port),
    ignoreTLS: true,
  })
  const post = async (url: string, target: string, body: object) => {
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    await response.arrayBuffer()
    return response.status
  }
  let number = 0
  /** Returns a different string each time, so that the platform cannot store one string for all requests. */
  const text = () => `${number++} `.padEnd(size, 'text ')
  const kinds = {
    web: async () => {
      const response = await fetch(urlOf('load balancer'), { method: 'POST', body: text() })
      await response.arrayBuffer()
      return response.status
    },
    queue: () => {
      const message = { QueueUrl: 'http://localhost/000000000000/orders', MessageBody: text() }
      return post(urlOf('queues'), 'AmazonSQS.SendMessage', message)
    },
    mail: () =>
      transport.sendMail({ from: 'a@far.example', to: 'bob@office.example', text: text() }).then(
        () => 250,
        error => error.responseCode as number,
      ),
    users: () => {
      const parameters = { USERNAME: `user-${number++}`, PASSWORD: 'Wrong-7even' }
      const input = { ClientId: 'web', AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: parameters }
      return post(urlOf('user pools'), 'AWSCognitoIdentityProviderService.InitiateAuth', input)
    },
  }
  const round = async () => {
    const statuses: Record<string, Set<number>> = {}
    for (const [name, send] of Object.entries(kinds)) {
      statuses[name] = new Set()
      for (let sent = 0; sent < requests; sent += 10)
        for (const status of await Promise.all(Array.from({ length: 10 }, send))) statuses[name].add(status)
    }
    return Object.fromEntries(Object.entries(statuses).map(([name, found]) => [name, [...found]]))
  }
  try {
    proxy.leave()
    // During these rounds, the invocation log fills its buffer of entries that wait for the database.
    const refused = { web: [200], queue: [503], mail: [451], users: [500] }
    for (let warm = 0; warm < 2; warm++) expect(await round()).toEqual(refused)
    const before = await keptBytes()
    for (let more = 0; more < 3; more++) expect(await round()).toEqual(refused)
    const grown = (await keptBytes()) - before
    // Since then, clients have sent 36 MB each of requests, messages and mails. None of this data may stay in memory.
    expect(Math.round(grown / megabyte)).toBeLessThan(20)
  } finally {
    proxy.comeBack()
    delete process.env.SIGNALBOX_USER_POOL_KEY
    delete process.env.SIGNALBOX_ACCESS_KEY
    await platform.stop()
    await proxy.close()
  }
})
