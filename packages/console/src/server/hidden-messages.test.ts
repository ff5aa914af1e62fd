import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ConsolePlatform, consolePlatform } from '../testing/console-platform.ts'

const key = (id: string) => ({ id, secret: `secret-of-${id}-which-is-long` })
const address = 'ann@office.example'
let setup: ConsolePlatform
let code = ''
beforeAll(async () => {
  setup = await consolePlatform({
    functions: {
      rules: { handler: () => ({ actions: [{ allRecipients: true, action: { type: 'DEFAULT' } }] }) },
      words: {
        handler: (event: {
          readonly request: { readonly codeParameter: string }
          readonly response: object
        }) => ({
          ...event,
          response: {
            emailSubject: `Reset with ${event.request.codeParameter}`,
            emailMessage: `<b>${event.request.codeParameter}</b>`,
          },
        }),
      },
    },
    mail: {
      port: 0,
      name: 'mail.example',
      domains: { 'office.example': { to: 'mailboxes' } },
      rules: [{ direction: 'INBOUND', function: 'rules' }],
    },
    userPools: {
      staff: {
        from: 'The staff of a company with a rather long name that is folded in the mail <staff@office.example>',
        triggers: { CustomMessage: 'words' },
        clients: { web: { flows: ['password'] } },
      },
      plain: { clients: { web: {} } },
    },
    userPoolListener: { port: 0 },
    access: {
      identities: {
        reader: { keys: [key('READ')], rights: { console: { read: ['*'] } } },
        actor: { keys: [key('ACT')], rights: { console: { read: ['*'], act: ['*'] } } },
      },
    },
  } as never)
  const { userPools, mail } = setup.platform
  const attributes = { email: address, email_verified: 'true' }
  for (const name of ['staff', 'plain']) {
    const pool = userPools.get(name)
    await pool.users.add('ann', { password: 'Right-7even', attributes })
    await askForCode(name)
  }
  while ((await mail.inbox(address)).length < 2) await new Promise(setImmediate)
  code = (await userPools.get('staff').code('ann'))!
})
afterAll(async () => {
  await setup[Symbol.asyncDispose]()
})

const askForCode = (pool: string) =>
  fetch(setup.url('user pools'), {
    method: 'POST',
    headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.ForgotPassword' },
    body: JSON.stringify({ ClientId: setup.platform.userPools.get(pool).clientId('web'), Username: 'ann' }),
  })
const ask = async (id: string, path: string) => {
  const headers = { authorization: `Bearer ${id}.${key(id).secret}` }
  const answer = await fetch(`${setup.origin}/console/api${path}`, { headers })
  return { status: answer.status, text: await answer.text() }
}
const idsAt = async (path: string) =>
  (JSON.parse((await ask('ACT', path)).text) as readonly { readonly id: string }[]).map(({ id }) => id)

describe('a visitor who may only read the console', () => {
  it('sees no code of a user pool, on any page', async () => {
    const other = (await setup.platform.userPools.get('plain').code('ann'))!
    const mails = await idsAt('/mail')
    const delivered = await idsAt(`/mailboxes/${address}`)
    expect([mails.length, delivered.length]).toEqual([2, 2])
    const files = ['', '/source', '/html']
    const paths = [
      ...[
        '/pools/staff/messages',
        '/pools/plain/messages',
        '/pools/staff/users/ann',
        '/pools/plain/users/ann',
      ],
      ...['/mail', `/mailboxes/${address}`, '/invocations'],
      ...mails.flatMap(id => files.map(file => `/mail/${id}${file}`)),
      ...delivered.flatMap(id => files.map(file => `/mailboxes/${address}/${id}${file}`)),
    ]
    const seen = { READ: '', ACT: '' }
    for (const path of paths)
      for (const id of ['READ', 'ACT'] as const) {
        const { status, text } = await ask(id, path)
        expect(status === 200 || (status === 404 && path.endsWith('/html'))).toBe(true)
        seen[id] += text
      }
    for (const each of [code, other]) {
      expect(each).toMatch(/^\d{6}$/)
      expect(seen.ACT).toContain(each)
      expect(seen.READ).not.toContain(each)
    }
    expect((await ask('READ', `/mail?text=${code}`)).text).toBe('[]')
  })

  it('sees no code in the events of functions that decide on mail', async () => {
    const found = async (id: string, query = '') => {
      const { text } = await ask(id, `/invocations?family=mail-flow${query}`)
      return (JSON.parse(text) as { readonly invocations: readonly { readonly id: number }[] }).invocations
    }
    const search = `&text=${encodeURIComponent(`Reset with ${code}`)}`
    const [entry] = await found('ACT', search)
    expect((await ask('ACT', `/invocations/${entry!.id}`)).text).toContain(code)
    expect(await found('READ', search)).toEqual([])
    expect(JSON.stringify(await found('READ'))).not.toContain(code)
    const shown = (await ask('READ', `/invocations/${entry!.id}`)).text
    expect(shown).not.toContain(code)
    expect(shown).toContain('hidden, because seeing it needs the right to act')
  })

  it('still sees that there are messages, and other mails', async () => {
    expect(JSON.parse((await ask('READ', '/pools/staff/messages')).text)).toMatchObject([
      { to: address, occasion: 'ForgotPassword', text: expect.stringContaining('hidden') },
    ])
    await fetch(`${setup.origin}/console/api/mail`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ACT.${key('ACT').secret}`,
        'x-signalbox-console': '1',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ from: 'bo@far.example', to: [address], subject: 'Lunch', text: 'At noon' }),
    })
    const [id] = await idsAt('/mail?text=Lunch')
    expect((await ask('READ', `/mail/${id}`)).text).toContain('At noon')
  })

  it('sees no code in the live stream', async () => {
    const ended = new AbortController()
    const headers = { authorization: `Bearer READ.${key('READ').secret}` }
    const { body } = await fetch(`${setup.origin}/console/api/live`, { headers, signal: ended.signal })
    const parts = body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
    let text = (await parts.next()).value!
    await askForCode('staff')
    while (!text.includes('mail-flow')) text += (await parts.next()).value
    ended.abort()
    expect(text).not.toMatch(/Reset with \d/)
    expect(text).toContain('hidden')
  })
})
