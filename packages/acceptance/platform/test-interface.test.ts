import { afterEach, describe, expect, it } from '@jest/globals'
import { systemClock } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { type Config, createPlatform } from '@signalbox/platform'
import { signatureHeaders } from '@signalbox/platform-runtime/signature'
import { createTransport } from 'nodemailer'

const minute = 60_000
const hour = 60 * minute

const running: ReturnType<typeof createPlatform>[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(platform => platform.stop()))
})

type Json = Record<string, unknown>

/** Starts a platform whose clock stands still, and returns what a test in another language has: HTTP. */
async function start(config: Config, headers: Record<string, string> = {}) {
  const notices: string[] = []
  const clock = manualClock(Date.now(), { runsDueTimers: true })
  const platform = createPlatform(
    { dataDir: ':memory:', grace: 1, control: { port: 0, testing: true }, ...config },
    { clock, machineClock: systemClock, onNotice: text => notices.push(text) },
  )
  running.push(platform)
  const urls = new Map((await platform.start()).map(({ source, url }) => [source, url]))
  const ask = async (method: string, path: string, body?: unknown, more = headers) => {
    const response = await fetch(`${urls.get('control')}/testing${path}`, {
      method,
      headers: more,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json'
    return { status: response.status, body: (isJson ? JSON.parse(text) : text) as never }
  }
  const read = async (path: string): Promise<Json[]> => (await ask('GET', path)).body
  const call = async (source: string, target: string, input: object) => {
    const type = source === 'queues' ? '1.0' : '1.1'
    const response = await fetch(urls.get(source)!, {
      method: 'POST',
      headers: { 'content-type': `application/x-amz-json-${type}`, 'x-amz-target': target },
      body: JSON.stringify(input),
    })
    return (await response.json()) as Json
  }
  return {
    platform,
    clock,
    notices,
    urls,
    ask,
    read,
    advance: (ms: number) => ask('POST', '/clock', { advance: ms }),
    sqs: (operation: string, queue: string, input: object = {}) =>
      call('queues', `AmazonSQS.${operation}`, {
        QueueUrl: `${urls.get('queues')}/000000000000/${queue}`,
        ...input,
      }),
    pools: (operation: string, input: object) =>
      call('user pools', `AWSCognitoIdentityProviderService.${operation}`, input),
    invokeLater: (name: string, event: unknown) =>
      fetch(`${urls.get('invoke')}/2015-03-31/functions/${name}/invocations`, {
        method: 'POST',
        headers: { 'x-amz-invocation-type': 'Event' },
        body: JSON.stringify(event),
      }),
    async sendMail(to: string, subject: string) {
      const { hostname, port } = new URL(urls.get('mail')!)
      const transport = createTransport({ host: hostname, port: Number(port), ignoreTLS: true })
      await transport.sendMail({ from: 'rita@partner.example', to, subject, text: 'Hello' })
      transport.close()
    },
  }
}

/** A platform with every source. Its function `work` fails for messages and events that say so. */
const everything: Config = {
  functions: {
    work: {
      async handler(event: unknown) {
        // Like a function in a process, it takes time that the platform's clock does not measure.
        for (let turns = 0; turns < 30; turns++) await new Promise(setImmediate)
        if (JSON.stringify(event).includes('fail')) throw new Error('no')
        return { batchItemFailures: [] }
      },
    },
  },
  queues: {
    jobs: { function: 'work', visibilityTimeout: 60, deadLetter: { queue: 'letters', maxReceiveCount: 3 } },
    inbox: { visibilityTimeout: 30 },
  },
  queueListener: { port: 0 },
  mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } } },
  userPools: {
    staff: {
      verify: ['email'],
      groups: { admins: {} },
      clients: { web: { id: 'web', flows: ['password'] } },
    },
  },
  userPoolListener: { port: 0 },
  invoke: { port: 0 },
}

const signUp = (name: string) => ({
  ClientId: 'web',
  Username: name,
  Password: 'Right-7even',
  UserAttributes: [{ Name: 'email', Value: `${name}@office.example` }],
})

describe('the test interface shows', () => {
  it('what was called and with what verdict, with event and payload as JSON', async () => {
    const { sqs, read, ask, notices } = await start(everything)
    expect(notices.join()).toContain('The test interface is on')
    await sqs('SendMessage', 'jobs', { MessageBody: 'hello' })
    const found = await read('/invocations?function=work&source=queue%20jobs&verdict=success&wait=20')
    expect(found).toMatchObject([
      {
        function: 'work',
        source: 'queue jobs',
        family: 'queue',
        attempt: 1,
        verdict: { kind: 'success', ok: true },
        failure: null,
        event: { Records: [{ body: 'hello' }] },
        payload: { batchItemFailures: [] },
      },
    ])
    const [{ id } = {}] = found
    expect(await read(`/invocations?after=${id}`)).toEqual([])
    expect(await read('/invocations?verdict=failure')).toEqual([])
    expect(await read('/invocations?last=1')).toHaveLength(1)
    expect(await ask('GET', '/invocations?function=wrk')).toEqual({
      status: 404,
      body: { error: 'There is no function "wrk". Did you mean work?' },
    })
  })

  it('secrets in events only as the invocation log has them', async () => {
    const { platform, read } = await start(everything)
    await platform.invoke('work', { password: 'Right-7even' })
    const [{ event, masked } = {}] = await read('/invocations?wait=20')
    expect(masked).toBe(true)
    expect(JSON.stringify(event)).not.toContain('Right-7even')
  })

  it('the messages of a queue without receiving them', async () => {
    const { sqs, read } = await start(everything)
    await sqs('SendMessage', 'inbox', { MessageBody: 'one' })
    await sqs('SendMessage', 'inbox', { MessageBody: 'two', DelaySeconds: 60 })
    await read('/queues/inbox/messages')
    expect(await read('/queues/inbox/messages')).toMatchObject([
      { body: 'one', state: 'visible', receiveCount: 0 },
      { body: 'two', state: 'delayed', receiveCount: 0 },
    ])
    expect(await read('/queues')).toContainEqual(expect.objectContaining({ name: 'inbox', visible: 1 }))
  })

  it('accepted and delivered mails', async () => {
    const { sendMail, read } = await start(everything)
    await sendMail('ann@office.example', 'Lunch')
    const [{ id } = {}] = await read('/mails')
    expect(await read(`/mails/${id}`)).toMatchObject({
      from: 'rita@partner.example',
      recipients: [{ address: 'ann@office.example' }],
      content: { subject: 'Lunch', text: 'Hello\n' },
    })
    let delivered: Json[] = []
    while (delivered.length === 0) delivered = await read('/mailboxes/ann@office.example')
    expect(delivered).toMatchObject([{ subject: 'Lunch', folder: 'inbox' }])
    expect(await read(`/mailboxes/ann@office.example/${delivered[0]!.id}`)).toMatchObject({
      from: 'rita@partner.example',
      subject: 'Lunch',
    })
  })

  it('the codes and messages that a pool sent, unmasked', async () => {
    const { pools, read, ask } = await start(everything)
    await pools('SignUp', signUp('ann'))
    await pools('SignUp', signUp('bob'))
    const [message] = await read('/pools/staff/messages?to=ann@office.example')
    expect(message).toMatchObject({ to: 'ann@office.example', medium: 'EMAIL', occasion: 'SignUp' })
    const confirmed = await pools('ConfirmSignUp', {
      ...{ ClientId: 'web', Username: 'ann' },
      ConfirmationCode: message!.code,
    })
    expect(confirmed).not.toHaveProperty('__type')
    expect(await read('/pools/staff/users')).toMatchObject({
      users: [
        { name: 'ann', status: 'CONFIRMED' },
        { name: 'bob', status: 'UNCONFIRMED' },
      ],
    })
    expect(await ask('GET', '/pools/stuff/messages')).toMatchObject({ status: 404 })
  })
})

describe('a reset over HTTP', () => {
  it('of one source leaves the others as they are', async () => {
    const { sqs, pools, read, ask, sendMail } = await start(everything)
    await sqs('SendMessage', 'inbox', { MessageBody: 'one' })
    await sendMail('ann@office.example', 'Lunch')
    while ((await read('/mailboxes/ann@office.example')).length === 0);
    await pools('SignUp', signUp('ann'))
    expect(await ask('POST', '/reset/mail')).toEqual({ status: 200, body: { reset: ['mail'] } })
    expect([await read('/mails'), await read('/mailboxes/ann@office.example')]).toEqual([[], []])
    expect(await read('/queues/inbox/messages')).toHaveLength(1)
    await ask('POST', '/reset/queues')
    expect(await read('/queues/inbox/messages')).toEqual([])
    expect(await read('/pools/staff/messages')).toHaveLength(1)
    await ask('POST', '/reset/user-pools')
    expect(await read('/pools/staff/messages')).toEqual([])
    expect(await ask('POST', '/reset/quues')).toEqual({
      status: 404,
      body: { error: 'There is no part "quues". Did you mean queues?' },
    })
  })

  it('of everything leaves the platform as after its first start, and it goes on working', async () => {
    const { sqs, pools, read, ask, sendMail, invokeLater, platform } = await start(everything)
    const test = async () => {
      await sqs('SendMessage', 'inbox', { MessageBody: 'one' })
      await sqs('SendMessage', 'jobs', { MessageBody: 'fail' })
      await sendMail('ann@office.example', 'Lunch')
      expect(await pools('SignUp', signUp('ann'))).toHaveProperty('UserSub')
      await invokeLater('work', 'fail')
      expect(await read('/invocations?source=invoke&wait=20')).toHaveLength(1)
      expect(await read('/invocations?source=queue%20jobs&wait=20')).toHaveLength(1)
      expect(await read('/events')).toEqual([{ function: 'work', waiting: 1 }])
      // One is the message of the pool.
      expect(await read('/mails')).toHaveLength(2)
    }
    await test()
    await sqs('CreateQueue', '', { QueueName: 'extra' })
    await sqs('PurgeQueue', 'inbox')
    const keys = await fetch(`${(await read('/pools'))[0]!.issuer}/.well-known/jwks.json`).then(_ => _.json())
    expect(await ask('POST', '/reset')).toEqual({
      status: 200,
      body: { reset: ['user-pools', 'queues', 'mail', 'invoke', 'invocations'] },
    })
    expect(await read('/queues')).toMatchObject([
      { name: 'inbox', visible: 0, inFlight: 0 },
      { name: 'jobs', visible: 0, inFlight: 0 },
      { name: 'letters' },
    ])
    for (const path of ['/mails', '/events', '/invocations', '/pools/staff/messages'])
      expect(await read(path)).toEqual([])
    expect(await read('/pools')).toMatchObject([{ users: 0, groups: ['admins'] }])
    expect(
      await fetch(`${(await read('/pools'))[0]!.issuer}/.well-known/jwks.json`).then(_ => _.json()),
    ).toEqual(keys)
    // Nothing is lost for people who look into the log of a test that failed.
    expect((await platform.invocationLog.list()).length).toBeGreaterThan(0)
    expect(await sqs('PurgeQueue', 'inbox')).toEqual({})
    // The poller pauses no longer for the message that failed.
    await test()
  })
})

describe('the clock over HTTP', () => {
  it('stands still, and moves by what it is told', async () => {
    const { ask, advance } = await start(everything)
    const before = (await ask('GET', '/clock')).body as { readonly now: number }
    await new Promise(resolve => setTimeout(resolve, 20))
    expect((await ask('GET', '/clock')).body).toEqual({ ...before, isManual: true })
    expect((await advance(hour)).body).toMatchObject({ now: before.now + hour })
  })

  it('makes delayed and hidden messages visible when they are due', async () => {
    const { sqs, advance } = await start(everything)
    await sqs('SendMessage', 'inbox', { MessageBody: 'later', DelaySeconds: 600 })
    const receive = async () => ((await sqs('ReceiveMessage', 'inbox')).Messages ?? []) as Json[]
    expect(await receive()).toEqual([])
    await advance(599_000)
    expect(await receive()).toEqual([])
    await advance(1000)
    expect(await receive()).toMatchObject([{ Body: 'later' }])
    expect(await receive()).toEqual([])
    await advance(30_000)
    expect(await receive()).toMatchObject([{ Body: 'later' }])
  })

  it('runs the retries of a failing message one after the other, up to its dead-letter queue', async () => {
    const { sqs, advance, read } = await start(everything)
    await sqs('SendMessage', 'jobs', { MessageBody: 'fail' })
    expect(await read('/invocations?function=work&verdict=failure&wait=20')).toHaveLength(1)
    await advance(hour)
    expect((await read('/invocations?function=work')).map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect(await read('/queues/letters/messages')).toMatchObject([{ body: 'fail' }])
  })

  it('runs the retries of an asynchronous event after one minute and again after two', async () => {
    const { invokeLater, advance, read } = await start(everything)
    await invokeLater('work', 'fail')
    const attempts = async () => (await read('/invocations?source=invoke&wait=1')).length
    expect(await attempts()).toBe(1)
    await advance(minute - 1)
    expect(await attempts()).toBe(1)
    await advance(1)
    expect(await attempts()).toBe(2)
    await advance(2 * minute)
    expect(await attempts()).toBe(3)
  })

  it('lets codes and tokens expire', async () => {
    const { pools, advance, read, platform } = await start(everything)
    await pools('SignUp', signUp('ann'))
    const [{ code } = {}] = await read('/pools/staff/messages')
    await advance(24 * hour)
    const confirm = { ClientId: 'web', Username: 'ann', ConfirmationCode: code }
    expect(await pools('ConfirmSignUp', confirm)).toMatchObject({ __type: 'ExpiredCodeException' })
    const staff = platform.userPools.get('staff')
    await staff.users.add('bob', { password: 'Right-7even' })
    const { accessToken: AccessToken } = await staff.signIn('bob', 'Right-7even')
    expect(await pools('GetUser', { AccessToken })).toMatchObject({ Username: 'bob' })
    await advance(61 * minute)
    expect(await pools('GetUser', { AccessToken })).toMatchObject({ __type: 'NotAuthorizedException' })
  })

  it('lets a batch window pass, and the retries of a mail up to its fallback', async () => {
    const { sqs, sendMail, advance, read } = await start({
      ...everything,
      functions: {
        ...everything.functions,
        sort: {
          handler() {
            throw new Error('no')
          },
        },
      },
      queues: { slow: { function: 'work', batchWindow: 60 } },
      mail: {
        port: 0,
        domains: { 'office.example': { to: 'mailboxes' } },
        rules: [{ direction: 'INBOUND', function: 'sort', timeout: 10, fallback: 'DROP' }],
      },
    })
    await sqs('SendMessage', 'slow', { MessageBody: 'one' })
    await sqs('SendMessage', 'slow', { MessageBody: 'two' })
    await advance(59_000)
    expect(await read('/invocations?function=work')).toEqual([])
    await advance(1000)
    expect(await read('/invocations?function=work&wait=20')).toMatchObject([
      { event: { Records: [{ body: 'one' }, { body: 'two' }] } },
    ])
    await sendMail('ann@office.example', 'Lunch')
    expect(await read('/invocations?function=sort&wait=20')).toHaveLength(1)
    await advance(11 * minute)
    expect((await read('/invocations?function=sort')).length).toBeGreaterThan(3)
    expect(await read('/mails')).toMatchObject([{ recipients: [{ state: 'dropped' }] }])
  })

  it('leaves signatures at the wall clock: a client of today may go on after the platform moved by a day', async () => {
    const secret = 'a-long-secret-of-clerk'
    const { advance, urls, ask } = await start({
      ...everything,
      access: {
        identities: {
          clerk: {
            keys: [{ id: 'clerk', secret }],
            rights: { queues: { send: ['*'] }, testing: { use: ['*'] } },
          },
        },
      },
    })
    const key = { authorization: `Bearer clerk.${secret}` }
    expect((await advance(24 * hour)).status).toBe(401)
    expect((await ask('POST', '/clock', { advance: 24 * hour }, key)).status).toBe(200)
    const url = urls.get('queues')!
    const body = Buffer.from(
      JSON.stringify({ QueueUrl: `${url}/000000000000/inbox`, MessageBody: 'still welcome' }),
    )
    const headers = {
      host: new URL(url).host,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.SendMessage',
    }
    const request = { method: 'POST', target: '/', headers: Object.entries(headers).flat(), body }
    const signed = signatureHeaders(
      request,
      { accessKeyId: 'clerk', secretAccessKey: secret },
      { region: 'local', service: 'sqs', now: Date.now() },
    )
    const answer = await fetch(url, { method: 'POST', headers: { ...headers, ...signed }, body })
    expect(answer.status).toBe(200)
    expect(await ask('GET', '/queues/inbox/messages', undefined, key)).toMatchObject({
      body: [{ body: 'still welcome' }],
    })
  })

  it('does not make a client wait: a long poll that finds nothing ends after its own time', async () => {
    const { sqs } = await start(everything)
    expect(await sqs('ReceiveMessage', 'inbox', { WaitTimeSeconds: 1 })).toEqual({})
  })

  it('is not moved by two requests at once, nor by anything but whole milliseconds', async () => {
    const { ask, sqs, advance, read } = await start(everything)
    const answers = await Promise.all([advance(1000), advance(1000)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    for (const body of [{ advance: -1 }, { advance: 1.5 }, { advance: '1' }, {}, '[]', 'x'])
      expect(await ask('POST', '/clock', body)).toMatchObject({ status: 400 })
    await sqs('SendMessage', 'jobs', { MessageBody: 'still alive' })
    expect(await read('/invocations?wait=20')).toHaveLength(1)
  })

  it('of a platform without a manual clock cannot be moved, and says how to start one', async () => {
    const platform = createPlatform({
      functions: {},
      control: { port: 0, testing: true },
      dataDir: ':memory:',
    })
    running.push(platform)
    const [{ url } = { url: '' }] = await platform.start()
    const response = await fetch(`${url}/testing/clock`, { method: 'POST', body: '{"advance":1}' })
    expect([response.status, await response.json()]).toEqual([
      409,
      { error: expect.stringContaining('signalbox dev --clock manual') },
    ])
  })
})

describe('the test interface refuses', () => {
  it('paths, methods and fields that it does not know, with what was expected', async () => {
    const { ask } = await start(everything)
    const errorOf = async (method: string, path: string, body?: unknown) => {
      const { status, body: answer } = await ask(method, path, body)
      return `${status} ${(answer as { error: string }).error}`
    }
    expect(await errorOf('GET', '/mial')).toMatch(
      /^404 .* It has .*GET \/testing\/mails\?last.*POST \/testing\/reset/,
    )
    expect(await errorOf('POST', '/queues')).toBe('405 POST is not possible here. Expected GET.')
    expect(await errorOf('GET', '/queues?nme=x')).toBe(
      '400 Unknown field "nme" in the query. Expected no field.',
    )
    expect(await errorOf('GET', '/invocations?last=x')).toBe(
      '400 Field last in the query: expected a whole number.',
    )
    expect(await errorOf('POST', '/clock', { advnce: 1 })).toBe(
      '400 Unknown field "advnce" in the body. Expected advance.',
    )
    expect(await errorOf('POST', '/clock?advance=1')).toMatch(/^400 The fields of a POST are in its body/)
    expect(await errorOf('GET', '/queues/nope/messages')).toBe('404 There is no queue nope.')
    expect(await errorOf('POST', '/reset', 'x'.repeat(70_000))).toMatch(/^413 /)
  })

  it('web pages, foreign hosts and proxies, also when the control address is open', async () => {
    const { ask, urls } = await start({ ...everything, control: { port: 0, testing: true, open: true } })
    expect((await ask('GET', '/queues', undefined, { origin: 'http://localhost:3000' })).status).toBe(403)
    expect((await ask('GET', '/queues', undefined, { 'sec-fetch-site': 'same-origin' })).status).toBe(403)
    expect((await ask('GET', '/queues', undefined, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(403)
    expect((await ask('GET', '/queues')).status).toBe(200)
    expect((await fetch(`${urls.get('control')}/livez`)).status).toBe(200)
  })

  it('everything when it is not switched on', async () => {
    const { ask } = await start({ ...everything, control: { port: 0 } })
    expect(await ask('GET', '/queues')).toEqual({
      status: 404,
      body: 'The only paths are GET /mail/{id}, GET /livez, GET /readyz, GET /metrics.\n',
    })
  })

  it('clients without a key that has the right, when there is `access`', async () => {
    const key = (id: string) => ({ id, secret: `a-long-secret-of-${id}` })
    const bearer = (id: string) => ({ authorization: `Bearer ${id}.a-long-secret-of-${id}` })
    const { ask } = await start({
      ...everything,
      access: {
        identities: {
          tester: { keys: [key('tester')], rights: { testing: { use: ['*'] } } },
          reader: { keys: [key('reader')], rights: { mail: { read: ['*'] } } },
        },
      },
    })
    expect((await ask('GET', '/queues')).status).toBe(401)
    expect(await ask('GET', '/queues', undefined, bearer('reader'))).toEqual({
      status: 403,
      body: expect.stringContaining("rights: { testing: { use: ['*'] } }"),
    })
    expect((await ask('GET', '/queues', undefined, bearer('tester'))).status).toBe(200)
  })
})
