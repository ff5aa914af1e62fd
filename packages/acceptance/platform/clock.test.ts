import { afterEach, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { createPlatform } from '@signalbox/platform'
import { readLocalAccessLog } from '@signalbox/platform-runtime/platform/testing/parts'
import { signatureHeaders } from '@signalbox/platform-runtime/signature'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'

const hour = 3_600_000
const day = 24 * hour
const key = { accessKeyId: 'clerk', secretAccessKey: 'a long secret of the clerk' }
const services = {
  queues: ['sqs', 'AmazonSQS', '1.0'],
  'user pools': ['cognito-idp', 'AWSCognitoIdentityProviderService', '1.1'],
} as const

const running: ReturnType<typeof createPlatform>[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(platform => platform.stop()))
})

/** Starts a platform, and returns a client that signs with its own clock. */
async function start(dataDir: string, clock = manualClock(Date.now())) {
  const events: { readonly Records: readonly { readonly attributes: Record<string, string> }[] }[] = []
  const platform = createPlatform(
    {
      functions: { work: { handler: async (event: never) => void events.push(event) } },
      queues: { orders: {}, jobs: { function: 'work' } },
      queueListener: { port: 0 },
      userPools: { staff: { id: 'eu-central-1_Staff01', clients: { web: {} } } },
      userPoolListener: { port: 0 },
      invoke: { port: 0 },
      access: {
        identities: {
          clerk: {
            keys: [{ id: key.accessKeyId, secret: key.secretAccessKey }],
            rights: {
              queues: { send: ['*'], receive: ['*'] },
              userPools: { administer: ['*'] },
              functions: { invoke: ['*'] },
            },
          },
        },
      },
      dataDir,
    },
    { clock },
  )
  running.push(platform)
  const urls = new Map((await platform.start()).map(({ source, url }) => [source, url]))
  const send = async (
    url: string,
    service: string,
    path: string,
    more: object,
    input: object,
    now: number,
  ) => {
    const body = Buffer.from(JSON.stringify(input))
    const headers = { host: new URL(url).host, ...more }
    const request = { method: 'POST', target: path, headers: Object.entries(headers).flat(), body }
    const signature = signatureHeaders(request, key, { region: 'local', service, now })
    const response = await fetch(url + path, { method: 'POST', headers: { ...headers, ...signature }, body })
    return { status: response.status, body: JSON.parse((await response.text()) || '{}') }
  }
  return {
    clock,
    events,
    platform,
    /** Calls an operation with a signature of the given time. */
    call(source: keyof typeof services, operation: string, input: object, now = Date.now()) {
      const [service, target, version] = services[source]
      const headers = {
        'x-amz-target': `${target}.${operation}`,
        'content-type': `application/x-amz-json-${version}`,
      }
      return send(urls.get(source)!, service, '/', headers, input, now)
    },
    invoke: (now = Date.now()) =>
      send(urls.get('invoke')!, 'lambda', '/2015-03-31/functions/work/invocations', {}, {}, now),
  }
}

it.each([
  ['an hour', hour],
  ['400 days', 400 * day],
  ['minus a day', -day],
])('signatures are accepted again as soon as a wall clock that was %s ahead is right', async (_, jump) => {
  const { clock, call, invoke } = await start(':memory:')
  const all = (now?: number) =>
    Promise.all([
      call('queues', 'SendMessage', { QueueUrl: 'orders', MessageBody: 'x' }, now),
      call('user pools', 'ListUsers', { UserPoolId: 'eu-central-1_Staff01' }, now),
      invoke(now),
    ]).then(answers => answers.map(({ status }) => status))
  clock.jump(jump)
  expect(await all(Date.now() + jump)).toEqual([200, 200, 200])
  expect(await all()).toEqual([403, 400, 403])
  clock.jump(-jump)
  expect(await all()).toEqual([200, 200, 200])
})

it('a jump of the wall clock neither shows a hidden message nor hides it longer', async () => {
  const { clock, call } = await start(':memory:')
  const receive = async () => {
    const { body } = await call(
      'queues',
      'ReceiveMessage',
      {
        QueueUrl: 'orders',
        VisibilityTimeout: 30,
        MessageSystemAttributeNames: ['All'],
      },
      clock.wall(),
    )
    return body.Messages ?? []
  }
  await call('queues', 'SendMessage', { QueueUrl: 'orders', MessageBody: 'x' })
  const sent = clock.wall()
  expect(await receive()).toHaveLength(1)
  clock.jump(400 * day)
  expect(await receive()).toEqual([])
  await clock.advance(30_000)
  // The time of sending is told by the receiver's clock, so that the age of the message is right.
  const [message] = await receive()
  expect(Number(message.Attributes.SentTimestamp)).toBe(sent + 400 * day)
  clock.jump(-400 * day)
  await clock.advance(30_000)
  expect(await receive()).toMatchObject([{ Attributes: { SentTimestamp: String(sent) } }])
})

it('the invocation log and the access log follow the wall clock, and keep their entries when it jumps', async () => {
  using folder = temporaryFolder()
  const { clock, platform, invoke } = await start(folder.path)
  await invoke()
  clock.jump(400 * day)
  const ahead = clock.wall()
  await invoke(ahead)
  clock.jump(-400 * day)
  await invoke()
  const times = (await platform.invocationLog.list()).map(({ started }) => started)
  expect(times.filter(time => Math.abs(time - ahead) < hour)).toHaveLength(1)
  expect(times.filter(time => Math.abs(time - clock.wall()) < hour)).toHaveLength(2)
  await platform.stop()
  running.length = 0
  const seen = readLocalAccessLog(folder.path).filter(({ operation }) => operation === 'Invoke')
  expect(seen.map(({ first, count }) => [Math.abs(first - ahead) < hour, count])).toEqual([
    [false, 2],
    [true, 1],
  ])
})

it('a message is received after a start with the right time, although the clock was ahead when it was hidden', async () => {
  using folder = temporaryFolder()
  const right = Date.now()
  const ahead = await start(folder.path, manualClock(right + 400 * day))
  const now = right + 400 * day
  await ahead.call('queues', 'SendMessage', { QueueUrl: 'orders', MessageBody: 'visible' }, now)
  await ahead.call(
    'queues',
    'SendMessage',
    { QueueUrl: 'orders', MessageBody: 'late', DelaySeconds: 20 },
    now,
  )
  await ahead.platform.stop()
  running.length = 0
  const { clock, call } = await start(folder.path, manualClock(right))
  const receive = async () => {
    const input = { QueueUrl: 'orders', MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All'] }
    const { body } = await call('queues', 'ReceiveMessage', input)
    return body.Messages ?? []
  }
  const [message] = await receive()
  expect(message).toMatchObject({ Body: 'visible' })
  expect(Math.abs(Number(message.Attributes.SentTimestamp) - right)).toBeLessThan(hour)
  await clock.advance(21_000)
  expect(await receive()).toMatchObject([{ Body: 'late' }])
})
