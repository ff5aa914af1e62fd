import { afterEach, describe, expect, it } from '@jest/globals'
import { everything, type Json, signUp, start, stopPlatforms } from './testing/test-interface.ts'

afterEach(stopPlatforms)

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
