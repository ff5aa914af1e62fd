import { describe, expect, it } from '@jest/globals'
import { askHook, harakaRequest, mtaRequest, rawHookMail, stalwartRequest } from './testing/hook-requests.ts'
import { type MailSetupOptions, mailSetup } from './testing/mail-setup.ts'
import { milterClient } from './testing/milter-client.ts'
import { offerTestMail } from './testing/offer-mail.ts'
import { otherServer } from './testing/other-server.ts'
import { putContent } from './testing/put-content.ts'
import { hooksSecret } from './testing/verdict-cases.ts'

const [bob, carol] = ['bob@office.example', 'carol@office.example'] as const
const deliver = { actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] }

/** Starts a platform that other mail servers ask, whose function changes each mail. Collects the errors of its changes. */
async function changing(
  of: (raw: string) => string,
  answer: unknown = deliver,
  options: MailSetupOptions = {},
) {
  const errors: (string | undefined)[] = []
  const setup = await mailSetup(
    async ({ messageId }) => {
      errors.push(await putContent(setup.urls.control, messageId, of))
      return answer
    },
    { relay: 'keep', milter: { port: 0 }, hooks: { port: 0, secret: hooksSecret }, ...options },
  )
  return Object.assign(setup, { errors })
}

const mark = (raw: string) => raw.replace('Subject: Hello', 'Subject: [External] Hello')
const both = (raw: string) => `X-New: 1\r\n${mark(raw)}-- \r\nA disclaimer\r\n`
const mail = { headers: [['X-Old', ' 1']] as const }
const old = rawHookMail(mail)

describe('a mail that a function changes', () => {
  it('is changed by a mail server that asks by milter, and by none that does not let it', async () => {
    await using setup = await changing(both)
    const headers = [['Subject', ' Hello']] as const
    await using client = await milterClient(setup.urls.milter)
    const answer = await client.ask({ headers, body: 'Hi!\r\n' })
    expect([...answer.changes, String(answer.body), answer.reply]).toEqual([
      ...['m 1 Subject: [External] Hello', 'i 0 X-New: 1'],
      ...['Hi!\r\n-- \r\nA disclaimer\r\n', 'c'],
    ])
    // The client of a mail server that has lost the answer sends the mail again.
    const again = await client.ask({ headers, body: 'Hi!\r\n' })
    expect(again).toEqual(answer)
    await using poor = await milterClient(setup.urls.milter, { actions: 0x1fd })
    expect(await poor.ask({ headers, body: 'Hi!\r\n' })).toMatchObject({ changes: [], reply: 'c' })
    expect(setup.errors).toEqual([
      undefined,
      'MessageFrozen: The mail server that asked does not let its filter change headers and bodies.',
    ])
  })

  it('is changed by Stalwart', async () => {
    await using setup = await changing(both)
    const { json } = await askHook(setup.urls.hooks, stalwartRequest(mail))
    expect(json).toEqual({
      action: 'accept',
      modifications: [
        { type: 'changeHeader', index: 1, name: 'Subject', value: ' [External] Hello' },
        { type: 'insertHeader', index: 0, name: 'X-New', value: ' 1' },
        { type: 'replaceContents', value: 'Hi!\r\n-- \r\nA disclaimer\r\n' },
      ],
    })
  })

  it('is changed as a whole by an MTA of the draft', async () => {
    await using setup = await changing(both, {
      actions: [{ action: { type: 'MOVE_TO_JUNK' }, allRecipients: true }],
    })
    const { json } = await askHook(setup.urls.hooks, mtaRequest(mail))
    const raw = `X-Spam-Flag: YES\r\n${both(old)}`
    expect(json).toEqual({ set: [{ path: '/rawMessage', value: Buffer.from(raw).toString('base64') }] })
  })

  it('has other headers at a client of rspamd', async () => {
    await using setup = await changing(raw =>
      mark(raw).replace('X-Old: 1\r\n', 'X-New: caf\xc3\xa9\r\n 2\r\n'),
    )
    const { json } = await askHook(setup.urls.hooks, harakaRequest(mail))
    expect(json).toMatchObject({
      action: 'no action',
      milter: {
        remove_headers: { Subject: 0, 'X-Old': 0 },
        add_headers: { Subject: '[External] Hello', 'X-New': 'café\n 2' },
      },
    })
  })

  it.each([
    [
      'a new body',
      both,
      'MessageFrozen: The mail server that asked lets its filter change headers only, and no body.',
    ],
    [
      'a second header of a name',
      (raw: string) => raw.replace('X-Old: 1\r\n', 'X-Old: 1\r\nX-Old: 2\r\n'),
      'MessageFrozen: The mail server that asked can add one header of a name only, and the changed mail has several.',
    ],
    [
      'bytes that are not UTF-8',
      (raw: string) => raw.replace('X-Old: 1', 'X-Old: \xe9'),
      'MessageFrozen: The mail server that asked gets changes as text: new and changed headers and a new body must be in UTF-8.',
    ],
  ])('stays as it was for %s at a client of rspamd', async (_, of, error) => {
    await using setup = await changing(of)
    const { json } = await askHook(setup.urls.hooks, harakaRequest(mail))
    expect(json).not.toHaveProperty('milter')
    expect(json).toMatchObject({ action: 'no action' })
    expect(setup.errors).toEqual([error])
  })

  it('stays as it was for an empty body, and for bytes that are not UTF-8, at Stalwart', async () => {
    const contents = ['', 'caf\xe9\r\n']
    await using setup = await changing(raw => raw.replace('Hi!\r\n', contents.shift()!))
    for (const id of ['<1@far.example>', '<2@far.example>']) {
      const { json } = await askHook(setup.urls.hooks, stalwartRequest({ id }))
      expect(json).toEqual({ action: 'accept', modifications: [] })
    }
    expect(setup.errors).toEqual([
      'MessageFrozen: The mail server that asked does not take an empty body.',
      expect.stringContaining('must be in UTF-8'),
    ])
  })

  it('keeps its trace lines and its sender, as any other', async () => {
    await using setup = await changing(raw => raw.replace('Ann <ann@far.example>', 'Eve <eve@far.example>'))
    const { json } = await askHook(setup.urls.hooks, stalwartRequest(mail))
    expect(json).toEqual({ action: 'accept', modifications: [] })
    expect(setup.errors).toEqual(['MessageRejected: The header from must stay as it was.'])
  })

  it('stays as it was when the rule is for some of the recipients only', async () => {
    await using setup = await changing(both, deliver, {
      rules: [{ direction: 'INBOUND', function: 'sort', recipients: [bob] }],
    })
    const changes = async (to: readonly string[]) =>
      (await askHook(setup.urls.hooks, stalwartRequest({ to }))).json.modifications.length
    expect([await changes([bob, carol]), await changes([bob])]).toEqual([0, 3])
    expect(setup.errors).toEqual([
      'MessageFrozen: The rule is for some of the recipients only, and the mail server that asked has one content for all of them.',
      undefined,
    ])
  })

  it('is given to the others when some bounce it, and the report has the head that was sent', async () => {
    const bounce = { action: { type: 'BOUNCE' }, recipients: [bob] }
    await using setup = await changing(both, { actions: [bounce, ...deliver.actions] }, { mixed: 'report' })
    await using client = await milterClient(setup.urls.milter)
    const asked = {
      to: [`<${bob}>`, `<${carol}>`],
      headers: [
        ['From', ' Ann <ann@far.example>'],
        ['Subject', ' Hello'],
      ] as const,
      body: 'Hi!\r\n',
    }
    const answer = await client.ask(asked)
    expect(answer.changes).toEqual([...[`- <${bob}>`, 'm 1 Subject: [External] Hello', 'i 0 X-New: 1']])
    expect(await client.ask(asked)).toEqual(answer)
    await setup.calm()
    const [report] = await setup.inbox('ann@far.example')
    expect(report!.text).toContain('Subject: Hello')
  })
})

describe('a mail that a function has changed', () => {
  const domains = { 'office.example': { to: 'relay' } } as const

  it.each([
    ['SMTP', 'after'],
    ['SMTP', 'before'],
    ['LMTP', 'before'],
  ] as const)(
    'is what the relay gets, when it came over %s and was decided on %s the reply',
    async (protocol, decide) => {
      await using office = await otherServer()
      const relay = { host: '127.0.0.1', port: office.port }
      const options = { domains, relay, inbound: { decide }, lmtp: { port: 0 } }
      await using setup = await changing(both, deliver, options)
      const url = protocol === 'SMTP' ? setup.urls.smtp : setup.urls.lmtp
      expect((await offerTestMail(url))[0]).toMatch(/^250 /)
      await setup.calm()
      expect(setup.errors).toEqual([undefined])
      const [mail] = office.taken
      expect(office.taken).toHaveLength(1)
      expect(String(mail!.data)).toMatch(/^X-New: 1\r\n[\s\S]*^Subject: \[External\] Hello\r\n/m)
      expect(String(mail!.data)).toMatch(/\r\n\r\nHi!\r\n-- \r\nA disclaimer\r\n$/)
    },
  )
})
