import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { createPlatform } from '@signalbox/platform'
import { testServer } from '@signalbox/platform-postgres/testing/server-suite'
import { sqsClient } from '@signalbox/platform-queue/testing/queue-engines'
import { createTransport } from 'nodemailer'

const database = testServer()
const drain = 5
const ClientId = 'web'
const orders = 'http://localhost/000000000000/orders'

/** Starts a platform on the shared database. */
async function startPlatform() {
  const clock = manualClock(1_700_000_000_000)
  const platform = createPlatform(
    {
      storage: { postgres: { url: database.server.url, schema: 'rolling' } },
      queues: { orders: {} },
      queueListener: { port: 0 },
      mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } }, relay: 'keep' },
      userPools: { staff: { clients: { web: { id: ClientId, flows: ['password'] } } } },
      userPoolListener: { port: 0 },
      control: { port: 0 },
      drain,
      dataDir: ':memory:',
    },
    { clock },
  )
  const addresses = await platform.start()
  const urlOf = (name: string) => addresses.find(({ source }) => source === name)!.url
  const mail = new URL(urlOf('mail'))
  return {
    platform,
    clock,
    sqs: sqsClient(urlOf('queues')),
    smtp: createTransport({ host: mail.hostname, port: Number(mail.port), ignoreTLS: true }),
    pools: urlOf('user pools'),
    control: urlOf('control'),
    /** The requests that this platform has not answered yet. */
    open: new Set<object>(),
  }
}

type Backend = Awaited<ReturnType<typeof startPlatform>>

it('a rolling restart of platforms on one database loses no message, no mail and no sign-in', async () => {
  process.env.SIGNALBOX_USER_POOL_KEY = Buffer.alloc(32, 7).toString('base64')
  const backends = [await startPlatform(), await startPlatform()]
  await backends[0]!.platform.userPools.get('staff').users.add('ann', { password: 'Right-7even' })
  let ready = [...backends]
  let isOver = false
  const answered = { messages: 0, mails: 0, signIns: 0 }
  const check = async () => {
    const all = [...backends]
    const statuses = await Promise.all(
      all.map(async each => (await fetch(`${each.control}/readyz`).catch(() => undefined))?.status),
    )
    ready = all.filter((_, index) => statuses[index] === 200)
  }

  const send = async ({ sqs }: Backend) => {
    await sqs.sendMessage({ QueueUrl: orders, MessageBody: 'order' })
    answered.messages++
  }
  const mail = async ({ smtp }: Backend) => {
    const sent = await smtp.sendMail({ from: 'ann@far.example', to: 'bob@office.example', text: 'Hello' })
    expect(sent.response).toMatch(/^250 /)
    answered.mails++
  }
  const signIn = async ({ pools }: Backend) => {
    const response = await fetch(pools, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth',
      },
      body: JSON.stringify({
        ClientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: 'ann', PASSWORD: 'Right-7even' },
      }),
    })
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('AccessToken')])
    answered.signIns++
  }

  let turnOf = 0
  const client = async (request: (backend: Backend) => Promise<void>) => {
    while (!isOver) {
      const backend = ready[turnOf++ % ready.length]!
      const running = {}
      backend.open.add(running)
      await request(backend)
      backend.open.delete(running)
    }
  }
  const clients = Promise.all([send, send, mail, signIn].map(client))
  /** Lets clients continue for a while. Throws the error of a client if one has failed. */
  const turn = () => Promise.race([clients, new Promise(resolve => setTimeout(resolve, 5))])

  for (const _ of [1, 2]) {
    const [old] = backends as [Backend]
    const before = { ...answered }
    const stopped = old.platform.stop()
    expect((await fetch(`${old.control}/readyz`)).status).toBe(503)
    // The load balancer has not noticed the stop yet, so its clients continue.
    while (Object.entries(before).some(([what, count]) => answered[what as keyof typeof before] < count + 3))
      await turn()
    await check()
    expect(ready).not.toContain(old)
    while (old.open.size > 0) await turn()
    await old.clock.advance(drain * 1000)
    await stopped
    backends.shift()
    backends.push(await startPlatform())
    await check()
    expect(ready).toHaveLength(2)
  }
  isOver = true
  await clients

  const [{ sqs, platform }] = backends as [Backend]
  const { Attributes } = await sqs.getQueueAttributes({ QueueUrl: orders, AttributeNames: ['All'] })
  expect(Attributes).toMatchObject({ ApproximateNumberOfMessages: String(answered.messages) })
  while ((await platform.mail.inbox('bob@office.example')).length < answered.mails)
    await new Promise(resolve => setTimeout(resolve, 10))
  expect(await platform.mail.inbox('bob@office.example')).toHaveLength(answered.mails)
  await Promise.all(
    backends.map(({ platform, clock }) => {
      const stopped = platform.stop()
      return clock.advance(drain * 1000).then(() => stopped)
    }),
  )
  delete process.env.SIGNALBOX_USER_POOL_KEY
})
