import { describe, expect, it } from '@jest/globals'
import {
  askHook,
  harakaRequest,
  mtaRequest,
  openSmtpdRequest,
  stalwartRequest,
  type TestRequest,
} from '../testing/hook-requests.ts'
import { testHooks } from '../testing/test-hooks.ts'

const json = { 'content-type': 'application/json' }

describe('what the mail server knows about its client', () => {
  const known = { address: '192.0.2.7', name: 'mx.far.example', helo: 'client.example' }

  it.each<[string, (mail: object) => TestRequest, object, object]>([
    [
      'Stalwart',
      stalwartRequest,
      { tls: 'TLSv1_3', user: 'carol' },
      { ...known, tls: 'TLSv1.3', user: 'carol' },
    ],
    [
      'the milter bridge',
      mtaRequest,
      { tls: 'TLSv1.2', user: 'carol' },
      { ...known, tls: 'TLSv1.2', user: 'carol' },
    ],
    ['Haraka', harakaRequest, { tls: 'TLSv1.3', user: 'carol' }, { ...known, tls: 'TLSv1.3', user: 'carol' }],
    ['OpenSMTPD', openSmtpdRequest, {}, { address: '192.0.2.7', helo: 'client.example' }],
    [
      'a server of an unknown client',
      harakaRequest,
      { address: 'unknown' },
      { name: known.name, helo: known.helo },
    ],
  ])('is in the facts of the mail: %s', async (_, request, mail, client) => {
    await using hooks = await testHooks()
    await askHook(hooks.url, request(mail))
    expect(hooks.mails.map(({ facts }) => facts)).toEqual([{ client }])
  })

  it('may be nothing', async () => {
    await using hooks = await testHooks()
    await askHook(hooks.url, { path: '/checkv2', headers: { Rcpt: 'bob@office.example' }, body: '\r\n' })
    expect(hooks.mails).toMatchObject([{ from: '', facts: undefined, recipients: ['bob@office.example'] }])
  })
})

describe('the mail', () => {
  it.each([
    ['Stalwart', stalwartRequest],
    ['the milter bridge', mtaRequest],
    ['Haraka', harakaRequest],
    ['OpenSMTPD', openSmtpdRequest],
  ])('of %s is rebuilt as it was on its way to the mail server', async (_, request) => {
    await using hooks = await testHooks()
    const to = ['Bob@Office.example', '"a b"@office.example', 'Bob@OFFICE.example']
    const headers = [
      ['X-Tab', '\tv\r\n folded'],
      ['X-Empty', ''],
    ] as const
    await askHook(hooks.url, request({ to, headers, text: 'Grüße "\\"\r\n.' }))
    const [mail] = hooks.mails
    expect(mail).toMatchObject({
      ...{ id: 'mail-1', from: 'ann@far.example', utf8: false, everyRule: true },
      recipients: ['Bob@Office.example', '"a b"@office.example'],
    })
    expect(String(mail!.raw)).toBe(
      'From: Ann <ann@far.example>\r\nSubject: Hello\r\nMessage-ID: <1@far.example>\r\n' +
        'X-Tab:\tv\r\n folded\r\nX-Empty:\r\n\r\nGrüße "\\"\r\n.\r\n',
    )
  })

  it('of the documents of Stalwart has headers without spaces and other names of fields', async () => {
    await using hooks = await testHooks()
    const { json: answer } = await askHook(hooks.url, {
      path: '/stalwart',
      headers: json,
      body: JSON.stringify({
        context: { stage: 'DATA', client: { ip: '192.0.2.7', ehlo: 'mx.example' }, tls: { version: '1.3' } },
        envelope: {
          from: { address: '<ann@far.example>', parameters: { smtputf8: null } },
          to: [{ address: '<bob@office.example>', parameters: null }],
        },
        message: { headers: [['Subject', 'Hello']], serverHeaders: [['Received', 'x']], contents: 'Hi!\r\n' },
      }),
    })
    expect(answer).toEqual({ action: 'accept', modifications: [] })
    expect(hooks.mails).toMatchObject([
      {
        from: 'ann@far.example',
        recipients: ['bob@office.example'],
        utf8: true,
        facts: { client: { tls: 'TLSv1.3', helo: 'mx.example' } },
      },
    ])
    expect(String(hooks.mails[0]!.raw)).toBe('Subject: Hello\r\n\r\nHi!\r\n')
  })

  it('is not there at the earlier stages of Stalwart, which get on', async () => {
    await using hooks = await testHooks(() => ({ type: 'DROP' }))
    for (const stage of ['connect', 'ehlo', 'auth', 'mail', 'RCPT'])
      expect((await askHook(hooks.url, stalwartRequest({}, stage))).json).toEqual({
        action: 'accept',
        modifications: [],
      })
    expect(hooks.mails).toEqual([])
  })

  it('of the null sender has no sender, and one in other scripts says so', async () => {
    await using hooks = await testHooks()
    for (const request of [stalwartRequest, mtaRequest, harakaRequest, openSmtpdRequest])
      await askHook(hooks.url, request({ from: '', to: ['dörte@office.example'] }))
    for (const mail of hooks.mails)
      expect(mail).toMatchObject({ from: '', utf8: true, recipients: ['dörte@office.example'] })
    expect(hooks.mails).toHaveLength(4)
  })
})

describe('the direction', () => {
  const directions = async (mail: object) => {
    await using hooks = await testHooks(undefined, {
      hooks: { outboundClients: ['10.0.0.0/8', '2001:db8::/32'] },
    })
    await askHook(hooks.url, harakaRequest({ to: ['bob@office.example', 'rita@far.example'], ...mail }))
    const [asked] = hooks.mails
    return asked!.recipients.map(asked!.directionOf!)
  }

  it('is that of the domains of the configuration', async () => {
    expect(await directions({})).toEqual(['INBOUND', 'OUTBOUND'])
  })

  it.each([
    ['has authenticated', { user: 'carol' }],
    ['is in a listed network', { address: '10.1.2.3' }],
    ['is in a listed network of IPv6', { address: '2001:db8::1' }],
  ])('is outbound when the client %s', async (_, mail) => {
    expect(await directions(mail)).toEqual(['OUTBOUND', 'OUTBOUND'])
  })
})
