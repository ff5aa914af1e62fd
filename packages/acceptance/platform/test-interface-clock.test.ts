import { afterEach, describe, expect, it } from '@jest/globals'
import { createPlatform } from '@signalbox/platform'
import { signatureHeaders } from '@signalbox/platform-runtime/signature'
import {
  everything,
  hour,
  type Json,
  minute,
  running,
  signUp,
  start,
  stopPlatforms,
} from './testing/test-interface.ts'

afterEach(stopPlatforms)

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
