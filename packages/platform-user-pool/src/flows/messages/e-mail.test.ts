import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import type { OutboundMail } from '@signalbox/platform-runtime'
import { clientId as ClientId, poolSetup } from '../../testing/pool-setup.ts'

/**
 * Creates a mail server that accepts each mail only once, and that calls `before` and `after` around each acceptance.
 */
function mailServer(around: { before?: () => void; after?: () => void; takes?: boolean } = {}) {
  const taken = new Map<string, OutboundMail>()
  return {
    around,
    taken,
    ownAddress: 'no-reply@mail.example',
    async submit(mail: OutboundMail) {
      around.before?.()
      if (around.takes === false) return false
      if (!taken.has(mail.id)) taken.set(mail.id, mail)
      around.after?.()
      return true
    },
  }
}

const signUp = { ClientId, Username: 'bob', Password: 'Right-7even' }
const UserAttributes = [{ Name: 'email', Value: 'bob@example.com' }]

it("e-mail with the pool's text goes to the mail server, and the pool keeps no copy", async () => {
  const mailer = mailServer()
  await using setup = await poolSetup({ mailer, pool: { from: 'Staff <staff@example.com>' } })
  await setup.call('SignUp', { ...signUp, UserAttributes })
  const [mail] = [...mailer.taken.values()]
  expect(mail).toMatchObject({
    from: 'Staff <staff@example.com>',
    to: 'bob@example.com',
    subject: 'Your verification code',
    text: `Your confirmation code is ${await setup.code()}`,
    isHtml: false,
  })
  expect(await setup.texts()).toMatchObject([{ state: 'sent', text: undefined }])
})

it('the text that a function returns is sent as HTML with escaped values', async () => {
  const mailer = mailServer()
  const answers = {
    CustomMessage_AdminCreateUser: () => ({
      emailSubject: 'Hello {username}',
      emailMessage: '<b>{username}</b> {####}',
      smsMessage: '{username} {####}',
    }),
  }
  await using setup = await poolSetup({ mailer, answers })
  await setup.call('AdminCreateUser', {
    UserPoolId: setup.engine.pools[0]!.id,
    Username: '<bob>',
    TemporaryPassword: 'Right-7&even',
    UserAttributes,
  })
  expect([...mailer.taken.values()]).toMatchObject([
    { subject: 'Hello <bob>', text: '<b>&lt;bob&gt;</b> Right-7&amp;even', isHtml: true },
  ])
})

it('the pool keeps the text of an e-mail that the mail server does not accept, and logs a notice', async () => {
  const mailer = mailServer({ takes: false })
  await using setup = await poolSetup({ mailer })
  await setup.call('SignUp', { ...signUp, UserAttributes })
  expect(await setup.texts()).toMatchObject([{ state: 'kept', text: expect.stringMatching(/code is \d{6}/) }])
  expect(setup.notices).toEqual([expect.stringContaining('`signalbox texts staff` shows it')])
  expect(setup.notices[0]).not.toContain('bob')
})

it('an e-mail is sent again after a mail server failure, and its function is not called again', async () => {
  const mailer = mailServer({
    before: () => {
      throw new Error('the disk is full')
    },
  })
  const answers = { CustomMessage_SignUp: () => ({ emailMessage: 'Take {####}', smsMessage: 'Take {####}' }) }
  await using setup = await poolSetup({ mailer, answers })
  expect(await setup.call('SignUp', { ...signUp, UserAttributes })).toMatchObject({ UserConfirmed: false })
  expect(await setup.texts()).toMatchObject([{ state: 'waiting' }])
  expect(setup.notices).toEqual([expect.stringContaining('the disk is full')])
  delete mailer.around.before
  await setup.clock.advance(30_000)
  await setup.engine.settled()
  expect(await setup.texts()).toMatchObject([{ state: 'sent' }])
  expect([...mailer.taken.values()]).toMatchObject([{ text: `Take ${await setup.code()}` }])
  expect(setup.called).toEqual(['CustomMessage_SignUp'])
})

it('an e-mail is sent only once, even when the platform is killed before it records the delivery', async () => {
  const database = new DatabaseSync(':memory:')
  const close = database.close.bind(database)
  database.close = () => {}
  const mailer = mailServer({
    after: () => {
      throw new Error('killed')
    },
  })
  const killed = await poolSetup({ mailer, database })
  await killed.call('SignUp', { ...signUp, UserAttributes })
  await killed[Symbol.asyncDispose]()
  expect(mailer.taken.size).toBe(1)
  delete mailer.around.after
  {
    await using setup = await poolSetup({ mailer, database })
    await setup.engine.settled()
    expect(mailer.taken.size).toBe(1)
    expect(await setup.texts()).toMatchObject([{ state: 'sent' }])
  }
  close()
})

it('expired codes are deleted, and waiting e-mails with an expired code fail', async () => {
  const mailer = mailServer()
  await using setup = await poolSetup({ mailer })
  await setup.call('SignUp', { ...signUp, UserAttributes })
  mailer.around.before = () => {
    throw new Error('no')
  }
  await setup.call('ResendConfirmationCode', { ClientId, Username: 'bob' })
  await setup.clock.advance(23 * 3_600_000)
  expect(await setup.texts()).toMatchObject([
    { state: 'waiting', code: expect.any(String) },
    { state: 'sent', code: expect.any(String) },
  ])
  await setup.clock.advance(2 * 3_600_000)
  await setup.engine.settled()
  expect(await setup.texts()).toMatchObject([
    { state: 'failed', code: '' },
    { state: 'sent', code: '' },
  ])
  const { waiting } = setup.clock
  await setup.clock.advance(60_000)
  expect(setup.clock.waiting).toBe(waiting)
})

it('a message is delivered later if the store becomes unavailable during its delivery', async () => {
  const database = new DatabaseSync(':memory:')
  await using setup = await poolSetup({ database })
  database.exec("create trigger away before update on messages begin select raise(abort, 'away'); end")
  await expect(setup.call('SignUp', { ...signUp, UserAttributes })).rejects.toThrow()
  database.exec('drop trigger away')
  expect(await setup.texts()).toMatchObject([{ state: 'waiting', text: undefined }])
  await setup.clock.advance(29_999)
  await setup.engine.settled()
  expect(await setup.texts()).toMatchObject([{ state: 'waiting' }])
  await setup.clock.advance(30_001)
  await setup.engine.settled()
  expect(await setup.texts()).toMatchObject([{ state: 'kept', text: expect.stringMatching(/code is \d{6}/) }])
})
