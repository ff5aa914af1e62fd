import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { systemClock } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { type Config, createPlatform } from '@signalbox/platform'
import { captureTerminal } from '@signalbox/platform/testing/capture-terminal'
import { allCommands, commands } from '@signalbox/platform/testing/whole-program'
import { testServer } from '@signalbox/platform-postgres/testing/server-suite'
import { sqsClient } from '@signalbox/platform-queue/testing/queue-engines'
import { run } from '@signalbox/platform-runtime/command-line'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import type { QueueEvent } from '@signalbox/queue/contract'
import { createTransport } from 'nodemailer'

const database = testServer()

/** Returns a platform with one FIFO queue, whose function records its messages. */
function setup(schema: string, handled: string[]) {
  const config = {
    functions: {
      work: {
        handler: ({ Records }: QueueEvent) => {
          handled.push(...Records.map(({ body }) => body))
          return { batchItemFailures: [] }
        },
      },
    },
    queues: { 'orders.fifo': { function: 'work', contentBasedDeduplication: true } },
    queueListener: { port: 0 },
    storage: { postgres: { url: database.server.url, schema } },
    dataDir: ':memory:',
  } satisfies Config
  return createPlatform(config as Config)
}

it('two platforms share the queues of one database, and handle each message once and in order', async () => {
  const handled: string[] = []
  const platforms = [setup('shared', handled), setup('shared', handled)]
  const starts = await Promise.all(platforms.map(platform => platform.start()))
  const clients = starts.map(addresses => sqsClient(addresses.find(({ source }) => source === 'queues')!.url))
  for (let number = 0; number < 40; number++)
    for (const client of clients)
      await client.sendMessage({
        QueueUrl: 'http://localhost/000000000000/orders.fifo',
        MessageBody: String(number),
        MessageGroupId: 'one',
      })
  while (handled.length < 40) await new Promise(resolve => setTimeout(resolve, 5))
  await Promise.all(platforms.map(platform => platform.stop()))
  expect(handled).toEqual(Array.from({ length: 40 }, (_, number) => String(number)))
})

it('a platform that has reached its maximumConcurrency leaves further messages to another platform', async () => {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const begun = [0, 0]
  const platforms = [0, 1].map(number =>
    createPlatform({
      functions: {
        work: {
          handler: async () => {
            begun[number]!++
            await released
            return { batchItemFailures: [] }
          },
        },
      },
      queues: { orders: { function: 'work', batchSize: 1, maximumConcurrency: 2 } },
      queueListener: { port: 0 },
      storage: { postgres: { url: database.server.url, schema: 'fair' } },
      dataDir: ':memory:',
    } as Config),
  )
  const [addresses] = await Promise.all(platforms.map(platform => platform.start()))
  const client = sqsClient(addresses!.find(({ source }) => source === 'queues')!.url)
  const QueueUrl = 'http://localhost/000000000000/orders'
  for (let number = 0; number < 4; number++)
    await client.sendMessage({ QueueUrl, MessageBody: String(number) })
  while (begun[0]! + begun[1]! < 4) await new Promise(resolve => setTimeout(resolve, 5))
  expect(begun).toEqual([2, 2])
  release()
  await Promise.all(platforms.map(platform => platform.stop()))
})

it('two platforms share mailboxes, so that one can read a mail that the other accepted', async () => {
  const open = () =>
    createPlatform({
      functions: {},
      mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } }, relay: 'keep' },
      control: { port: 0 },
      storage: { postgres: { url: database.server.url, schema: 'mail' } },
      dataDir: ':memory:',
    })
  const platforms = [open(), open()] as const
  const [addresses] = await Promise.all(platforms.map(platform => platform.start()))
  const { port } = new URL(addresses!.find(({ source }) => source === 'mail')!.url)
  const transport = createTransport({ host: '127.0.0.1', port: Number(port), ignoreTLS: true })
  await transport.sendMail({
    from: 'ann@far.example',
    to: 'bob@office.example',
    subject: 'Hi',
    text: 'Hello',
  })
  transport.close()
  const inbox = () => platforms[1].mail.inbox('bob@office.example')
  while ((await inbox()).length === 0) await new Promise(resolve => setTimeout(resolve, 10))
  expect(String(await platforms[1].mail.read((await inbox())[0]!))).toContain('Subject: Hi')
  await Promise.all(platforms.map(platform => platform.stop()))
})

it('two platforms share user pools, and need the same encryption key for secrets', async () => {
  const open = () =>
    createPlatform({
      functions: {},
      userPools: { staff: { clients: { web: { flows: ['admin'] } } } },
      userPoolListener: { port: 0 },
      storage: { postgres: { url: database.server.url, schema: 'pools' } },
      dataDir: ':memory:',
    })
  await expect(open().start()).rejects.toThrow('Set the environment variable SIGNALBOX_USER_POOL_KEY')
  process.env.SIGNALBOX_USER_POOL_KEY = Buffer.alloc(32, 7).toString('base64')
  const platforms = [open(), open()] as const
  try {
    await Promise.all(platforms.map(platform => platform.start()))
    await platforms[0].userPools.get('staff').users.add('ann', { password: 'Right-7even' })
    const tokens = await platforms[1].userPools.get('staff').signIn('ann', 'Right-7even')
    expect(tokens.accessToken).toBeDefined()
  } finally {
    delete process.env.SIGNALBOX_USER_POOL_KEY
    await Promise.all(platforms.map(platform => platform.stop()))
  }
})

it('two platforms allow no more sign-ups, and no more messages to one address, than one platform', async () => {
  const open = (limits: object) =>
    createPlatform({
      functions: {},
      userPools: { staff: { limits, clients: { web: { id: 'web' } } } },
      userPoolListener: { port: 0 },
      storage: { postgres: { url: database.server.url, schema: 'floods' } },
      dataDir: ':memory:',
    })
  process.env.SIGNALBOX_USER_POOL_KEY = Buffer.alloc(32, 7).toString('base64')
  /** Signs users up at both platforms in turn, and returns the results. */
  const signUps = async (limits: object, names: readonly string[], email: (name: string) => string) => {
    const platforms = [open(limits), open(limits)]
    try {
      const addresses = await Promise.all(platforms.map(platform => platform.start()))
      const results: string[] = []
      for (const [at, Username] of names.entries()) {
        const answer = await fetch(addresses[at % 2]!.find(({ source }) => source === 'user pools')!.url, {
          method: 'POST',
          headers: {
            'content-type': 'application/x-amz-json-1.1',
            'x-amz-target': 'AWSCognitoIdentityProviderService.SignUp',
          },
          body: JSON.stringify({
            ClientId: 'web',
            Username,
            Password: 'Right-7even',
            UserAttributes: [{ Name: 'email', Value: email(Username) }],
          }),
        })
        const { __type = 'signed up' } = (await answer.json()) as { readonly __type?: string }
        results.push(__type)
      }
      return results
    } finally {
      await Promise.all(platforms.map(platform => platform.stop()))
    }
  }
  try {
    expect(await signUps({ messages: 2 }, ['a', 'b', 'c', 'd'], () => 'ann@example.com')).toEqual([
      ...['signed up', 'signed up', 'LimitExceededException', 'LimitExceededException'],
    ])
    // Four sign-ups are counted already.
    expect(await signUps({ signUps: 6 }, ['e', 'f', 'g', 'h'], name => `${name}@example.com`)).toEqual([
      ...['signed up', 'signed up', 'TooManyRequestsException', 'TooManyRequestsException'],
    ])
  } finally {
    delete process.env.SIGNALBOX_USER_POOL_KEY
  }
})

it('two platforms share an invocation log, which commands can read', async () => {
  const storage = { postgres: { url: database.server.url, schema: 'log' } }
  const open = () =>
    createPlatform({ functions: { work: { handler: () => 7 } }, storage, dataDir: ':memory:' } as Config)
  const platforms = [open(), open()] as const
  for (const platform of platforms) {
    await platform.invoke('work', { number: 7 })
    expect(await platform.invocationLog.list({ last: 1 })).toHaveLength(1)
  }
  expect((await platforms[1].invocationLog.list()).map(({ id, payload }) => [id, payload])).toEqual([
    [1, '7'],
    [2, '7'],
  ])
  await Promise.all(platforms.map(platform => platform.stop()))
  using folder = temporaryFolder()
  const config = { functions: {}, storage, dataDir: ':memory:' }
  writeFileSync(join(folder.path, 'signalbox.config.ts'), `export default ${JSON.stringify(config)}`)
  const captured = captureTerminal(folder.path)
  expect(await run(['log', '--json', '--last', '1'], commands, '1', captured.terminal)).toBe(0)
  expect(JSON.parse(captured.printed)).toMatchObject({ id: 2, event: '{"number":7}' })
})

it('two platforms share an access log, and the access keys that commands add and revoke', async () => {
  using folder = temporaryFolder()
  const config = {
    queues: { orders: {} },
    queueListener: { port: 0 },
    access: { identities: { shop: { rights: { queues: { send: ['orders'] } } } } },
    storage: { postgres: { url: database.server.url, schema: 'access' } },
  }
  const file = { ...config, dataDir: ':memory:' }
  writeFileSync(join(folder.path, 'signalbox.config.ts'), `export default ${JSON.stringify(file)}`)
  const signalbox = async (...args: string[]) => {
    const captured = captureTerminal(folder.path)
    await run(args, commands, '1', captured.terminal)
    return captured.printedErrors || captured.printed
  }
  expect(await signalbox('access', 'add', 'shop')).toContain(
    'Set the environment variable SIGNALBOX_ACCESS_KEY',
  )
  process.env.SIGNALBOX_ACCESS_KEY = Buffer.alloc(32, 7).toString('base64')
  const platforms = [createPlatform(file as Config), createPlatform(file as Config)]
  try {
    const urls = await Promise.all(platforms.map(async platform => (await platform.start())[0]!.url))
    const { id, secret } = JSON.parse(await signalbox('access', 'add', 'shop', '--json'))
    const credentials = { accessKeyId: id, secretAccessKey: secret }
    const clients = urls.map(url => sqsClient(url, { credentials }))
    const send = (client: (typeof clients)[number]) =>
      client.sendMessage({ QueueUrl: 'http://localhost/000000000000/orders', MessageBody: 'x' }).then(
        () => 'sent',
        error => (error as Error).name,
      )
    // After thirty unknown keys within an hour, a client has to wait.
    const until = async (result: string) => {
      for (const client of clients)
        while ((await send(client)) !== result) await new Promise(resolve => setTimeout(resolve, 200))
    }
    await until('sent')
    await signalbox('access', 'revoke', id)
    await until('InvalidClientTokenId')
    expect(await signalbox('access', 'list')).toMatch(new RegExp(`key ${id} +revoked`))
  } finally {
    delete process.env.SIGNALBOX_ACCESS_KEY
    await Promise.all(platforms.map(platform => platform.stop()))
  }
  const entries = (await signalbox('access', 'log', '--json')).split('\n').map(line => JSON.parse(line))
  // Both platforms increased the count in one log entry of this minute.
  expect(Math.max(...entries.map(({ count }) => count))).toBeGreaterThanOrEqual(2)
  expect(entries).toContainEqual(expect.objectContaining({ identity: 'shop', result: 'allowed' }))
  expect(await signalbox('access', 'log', '--refused')).toContain('UnrecognizedClient')
})

it('platforms that share a database count wrong secrets and wrong passwords together', async () => {
  process.env.SIGNALBOX_ACCESS_KEY = process.env.SIGNALBOX_USER_POOL_KEY = Buffer.alloc(32, 7).toString(
    'base64',
  )
  const key = { id: 'SHOP', secret: 'the-right-secret-of-the-shop' }
  const config = {
    queues: { orders: {} },
    queueListener: { port: 0 },
    userPools: {
      staff: { id: 'eu-central-1_Staff02', clients: { web: { id: 'web', flows: ['password'] } } },
    },
    userPoolListener: { port: 0 },
    access: { identities: { shop: { keys: [key], rights: { queues: { send: ['orders'] } } } } },
    storage: { postgres: { url: database.server.url, schema: 'guesses' } },
    dataDir: ':memory:',
  }
  const platforms = [createPlatform(config as Config), createPlatform(config as Config)]
  try {
    const addresses = await Promise.all(platforms.map(platform => platform.start()))
    const urls = (name: string) => addresses.map(each => each.find(({ source }) => source === name)!.url)
    const clients = urls('queues').map(url =>
      sqsClient(url, { credentials: { accessKeyId: key.id, secretAccessKey: 'a wrong secret' } }),
    )
    const guess = (at: number) =>
      clients[at]!.sendMessage({ QueueUrl: 'http://localhost/000000000000/orders', MessageBody: 'x' }).catch(
        error => (error as Error).name,
      )
    const counted = async () => {
      const rows = await database.query('select amount - tokens as count from guesses.token_buckets')
      return Number(rows[0]?.count ?? 0)
    }
    let wrong = 0
    const throttled = new Set<number>()
    for (let number = 0; throttled.size < 2; number++) {
      const result = await guess(number % 2)
      if (result === 'RequestThrottled') throttled.add(number % 2)
      else expect([result, ++wrong <= 60]).toEqual(['SignatureDoesNotMatch', true])
      // The bucket refills by a few tokens while the test runs.
      while ((await counted()) < Math.min(wrong, 30) - 5)
        await new Promise(resolve => setTimeout(resolve, 10))
    }
    // Two platforms that count separately would allow sixty.
    expect(wrong).toBeGreaterThanOrEqual(30)
    expect(wrong).toBeLessThan(45)

    await platforms[0]!.userPools.get('staff').users.add('ann', { password: 'Right-7even' })
    const signIn = async (at: number, PASSWORD: string) => {
      const response = await fetch(urls('user pools')[at]!, {
        method: 'POST',
        headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth' },
        body: JSON.stringify({
          ClientId: 'web',
          AuthFlow: 'USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME: 'ann', PASSWORD },
        }),
      })
      return ((await response.json()) as { readonly message?: string }).message
    }
    for (const at of [0, 1, 0, 1, 0]) expect(await signIn(at, 'Wrong-7even')).toMatch(/^Incorrect/)
    for (const at of [0, 1]) expect(await signIn(at, 'Right-7even')).toBe('Password attempts exceeded')
  } finally {
    delete process.env.SIGNALBOX_ACCESS_KEY
    delete process.env.SIGNALBOX_USER_POOL_KEY
    await Promise.all(platforms.map(platform => platform.stop()))
  }
})

it('commands can send messages to queues in the database, and show these messages', async () => {
  using folder = temporaryFolder()
  const storage = { postgres: { url: database.server.url, schema: 'commands' } }
  const config = { queues: { orders: {} }, queueListener: { port: 0 }, storage }
  writeFileSync(join(folder.path, 'signalbox.config.ts'), `export default ${JSON.stringify(config)}`)
  const signalbox = async (...args: string[]) => {
    const captured = captureTerminal(folder.path)
    expect([await run(args, commands, '1', captured.terminal, allCommands), captured.printedErrors]).toEqual([
      0,
      '',
    ])
    return captured.printed
  }
  const id = await signalbox('send', 'orders', 'hello')
  expect(await signalbox('queues', 'peek', 'orders', '--json')).toContain(id)
  expect(JSON.parse(await signalbox('queues', '--json'))).toMatchObject({ name: 'orders', visible: 1 })
})

it('the test interface deletes nothing that other platforms may share, and a manual clock is refused', async () => {
  const config = {
    functions: {},
    queues: { orders: {} },
    queueListener: { port: 0 },
    control: { port: 0, testing: true },
    storage: { postgres: { url: database.server.url, schema: 'tests' } },
    dataDir: ':memory:',
  } satisfies Config
  expect(() => createPlatform(config as Config, { clock: manualClock(), machineClock: systemClock })).toThrow(
    'the clock of the database decides',
  )
  const platform = createPlatform(config as Config)
  const urls = new Map((await platform.start()).map(({ source, url }) => [source, url]))
  const sqs = sqsClient(urls.get('queues')!)
  await sqs.sendMessage({ QueueUrl: 'http://localhost/000000000000/orders', MessageBody: 'kept' })
  const ask = (method: string, path: string) => fetch(`${urls.get('control')}/testing${path}`, { method })
  for (const path of ['/reset', '/reset/queues']) {
    const response = await ask('POST', path)
    expect([response.status, await response.json()]).toEqual([
      409,
      {
        error: expect.stringContaining(
          'Nothing is deleted: other platforms may use the same storage for queues',
        ),
      },
    ])
  }
  expect((await ask('POST', '/reset/invocations')).status).toBe(200)
  expect(await (await ask('GET', '/queues/orders/messages')).json()).toMatchObject([{ body: 'kept' }])
  await platform.stop()
})
