import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { type Config, createPlatform } from '@signalbox/platform'
import { databaseProxy } from '@signalbox/platform-postgres/testing/database-proxy'
import { testServer } from '@signalbox/platform-postgres/testing/server-suite'
import { sqsClient } from '@signalbox/platform-queue/testing/queue-engines'
import type { QueueEvent } from '@signalbox/queue/contract'
import { createTransport } from 'nodemailer'

const database = testServer()
let schemas = 0

/** The ways in which the database server becomes unreachable and comes back. */
const absences = {
  'is killed': async () => {
    const { url, kill, start } = database.server
    return { url, leave: kill, comeBack: start, close: async () => {} }
  },
  'is cut off': () => databaseProxy(database.server.url),
  'does not answer, because the network loses all packets': async () => {
    const proxy = await databaseProxy(database.server.url)
    return { ...proxy, leave: proxy.fallSilent }
  },
}

/**
 * Starts a platform with queues, mail and a user pool. Returns the platform, and clients that do not retry.
 */
async function setup(url: string, schema: string) {
  const handled: string[] = []
  const handler = ({ Records }: QueueEvent) => {
    handled.push(...Records.map(({ body }) => body))
    return { batchItemFailures: [] }
  }
  const platform = createPlatform({
    functions: { work: { handler } },
    queues: { orders: { function: 'work' } },
    queueListener: { port: 0 },
    mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } }, relay: 'keep' },
    control: { port: 0 },
    userPools: {
      staff: { id: 'eu-central-1_Staff01', clients: { web: { id: 'web', flows: ['password'] } } },
    },
    userPoolListener: { port: 0 },
    storage: { postgres: { url, schema } },
    dataDir: ':memory:',
  } as Config)
  const addresses = await platform.start()
  const urlOf = (name: string) => addresses.find(({ source }) => source === name)!.url
  await platform.userPools.get('staff').users.add('ann', { password: 'Right-7even' })
  const sqs = sqsClient(urlOf('queues'))
  const transport = createTransport({
    host: '127.0.0.1',
    port: Number(new URL(urlOf('mail')).port),
    ignoreTLS: true,
  })
  const error = (reason: { readonly responseCode?: number; readonly $metadata?: object }) => reason
  return {
    platform,
    handled,
    send: (MessageBody: string) =>
      sqs.sendMessage({ QueueUrl: 'http://localhost/000000000000/orders', MessageBody }).catch(error),
    mail: () =>
      transport.sendMail({ from: 'a@far.example', to: 'bob@office.example', text: 'Hi' }).catch(error),
    async signIn() {
      const response = await fetch(urlOf('user pools'), {
        method: 'POST',
        headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth' },
        body: JSON.stringify({
          ClientId: 'web',
          AuthFlow: 'USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME: 'ann', PASSWORD: 'Right-7even' },
        }),
      })
      await response.text()
      return response.status
    },
  }
}

/**
 * Counts five seconds in 100 turns, each of which takes 50 ms and one database query. On a busy machine, the turns
 * take longer, just like the work of the platform.
 */
function fiveSeconds() {
  let turns = 0
  let isStopped = false
  const counting = (async () => {
    for (; turns < 100 && !isStopped; turns++) {
      await delay(50)
      await database.query('select 1')
    }
  })()
  return {
    areOver: () => turns === 100,
    async stop() {
      isStopped = true
      await counting
    },
  }
}

it.each(Object.entries(absences))(
  'while the database server %s, clients get retryable errors, and new attempts succeed once it is back',
  async (_, make) => {
    process.env.SIGNALBOX_USER_POOL_KEY = Buffer.alloc(32, 7).toString('base64')
    const { url, leave, comeBack, close } = await make()
    const { platform, handled, send, mail, signIn } = await setup(url, `away_${schemas++}`)
    let stopCounting = async () => {}
    try {
      expect(await send('before')).toMatchObject({ MessageId: expect.any(String) })
      expect(await signIn()).toBe(200)
      expect(await mail()).toMatchObject({ response: expect.stringMatching(/^250 /) })

      await leave()
      // Sends several requests, so that each connection of the pool fails once.
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => Promise.all([send('lost'), mail(), signIn()])),
      )
      for (const [sent, mailed, signedIn] of answers) {
        expect(sent).toMatchObject({ $metadata: { httpStatusCode: 503 } })
        expect(mailed).toMatchObject({ responseCode: 451 })
        expect(signedIn).toBeGreaterThanOrEqual(500)
      }

      await comeBack()
      const limit = fiveSeconds()
      stopCounting = limit.stop
      const until = async (isDone: () => Promise<boolean>) => {
        for (;;) {
          // An attempt that begins after five seconds must succeed, however long it takes.
          const isLast = limit.areOver()
          if (await isDone()) return
          expect(isLast).toBe(false)
          await delay(10)
        }
      }
      await until(async () => 'MessageId' in (await send('after')))
      await until(async () => (await signIn()) === 200)
      await until(async () => 'response' in (await mail()))
      const inbox = () => platform.mail.inbox('bob@office.example')
      await until(async () => (await inbox()).length >= 2)
      await until(async () => handled.includes('after'))
      expect(handled).toContain('before')
    } finally {
      delete process.env.SIGNALBOX_USER_POOL_KEY
      await stopCounting()
      await platform.stop()
      await close()
    }
  },
  300_000,
)
