import { afterEach, describe, expect, it } from '@jest/globals'
import { everything, signUp, start, stopPlatforms } from './testing/test-interface.ts'

afterEach(stopPlatforms)

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
