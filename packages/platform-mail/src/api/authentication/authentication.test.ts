import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import type { LimitsConfig } from '@signalbox/platform-runtime/config'
import { type Access, makeAccess } from '@signalbox/platform-runtime/platform/testing/parts'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { createTransport } from 'nodemailer'
import { mailListener } from '../../testing/mail-listener.ts'
import { dialogueOver, type SmtpDialogue, smtpDialogue, smtpReplies } from '../../testing/smtp-dialogue.ts'
import { type CommandName, commandRules } from '../commands/command-rules.ts'
import { anyPassword } from './any-password.ts'

const tls = { cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) }
const user = 'shop@office.example'
const password = 'a password, and = long'

function access(
  clock = manualClock(0),
  limits?: LimitsConfig,
  submit: readonly string[] = ['shop@office.example', '*@shop.example'],
): { readonly access: Access; readonly records: object[] } {
  const records: object[] = []
  const made = makeAccess(
    {
      identities: [
        {
          name: 'shop',
          keys: [{ accessKeyId: user, secretAccessKey: password }],
          rights: { mail: { submit } },
          limits,
        },
      ],
    },
    {
      keys: () => undefined,
      clock,
      operator: () => undefined,
      log: { add: record => records.push(record), read: async () => [], close: async () => {} },
    },
  )
  return { access: made, records }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const plain = `AUTH PLAIN ${base64(`\0${user}\0${password}`)}`

async function secured(client: SmtpDialogue): Promise<TLSSocket> {
  client.socket.removeAllListeners('data')
  const socket = connectTls({ socket: client.socket, ca: certificate.cert, servername: 'localhost' })
  await once(socket, 'secureConnect')
  return socket
}

/** Authenticates with SCRAM-SHA-256 (RFC 5802). */
async function scram(client: SmtpDialogue, name: string, secret: string, header = 'n,,') {
  const bare = `n=${name.replaceAll('=', '=3D').replaceAll(',', '=2C')},r=client-nonce`
  const challenge = await client.say(`AUTH SCRAM-SHA-256 ${base64(header + bare)}`)
  const serverFirst = Buffer.from(challenge!.slice(4), 'base64').toString()
  const [, nonce, salt, count] = /^r=([^,]*),s=([^,]*),i=(\d+)$/.exec(serverFirst) ?? []
  if (nonce === undefined) return { reply: challenge, verified: false }
  const salted = pbkdf2Sync(secret, Buffer.from(salt!, 'base64'), Number(count), 32, 'sha256')
  const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const withoutProof = `c=${base64(header)},r=${nonce}`
  const message = `${bare},${serverFirst},${withoutProof}`
  const clientKey = mac(salted, 'Client Key')
  const signature = mac(createHash('sha256').update(clientKey).digest(), message)
  const proof = clientKey.map((byte, at) => byte ^ signature[at]!)
  const final = client.say(base64(`${withoutProof},p=${Buffer.from(proof).toString('base64')}`))
  return {
    nonce,
    salt,
    final,
    verifier: `v=${mac(mac(salted, 'Server Key'), message).toString('base64')}`,
  }
}

describe('a mail listener with access keys', () => {
  it('offers AUTH on loopback connections', async () => {
    await using setup = await mailListener({ role: access(), settings: { tls } })
    await using client = await smtpDialogue(setup.url)
    expect(await client.say('EHLO client')).toContain('\nAUTH SCRAM-SHA-256 PLAIN LOGIN\n')
  })

  it('accepts PLAIN, LOGIN and SCRAM-SHA-256, and then relays mail to other domains', async () => {
    await using setup = await mailListener({ role: access(), settings: { trusted: [], relay: 'keep' } })
    const send = ['MAIL FROM:<Shop@Office.example>', 'RCPT TO:<rita@far.example>', 'RSET']
    const [accepted, relayed] = ['250 2.1.0 Sender accepted', '250 2.1.5 Recipient accepted']
    const signIns: readonly ((client: SmtpDialogue) => Promise<string | undefined>)[] = [
      client => client.say(plain),
      async client => {
        expect(await client.say('auth plain')).toBe('334 ')
        return client.say(plain.slice('AUTH PLAIN '.length))
      },
      async client => {
        expect(await client.say('AUTH LOGIN')).toBe(`334 ${base64('Username:')}`)
        expect(await client.say(base64(user))).toBe(`334 ${base64('Password:')}`)
        return client.say(base64(password))
      },
      async client => {
        const { final, verifier } = await scram(client, user, password)
        expect(Buffer.from((await final)!.slice(4), 'base64').toString()).toBe(verifier)
        return client.say('')
      },
    ]
    for (const signIn of signIns) {
      await using client = await smtpDialogue(setup.url)
      await client.say('EHLO client')
      await client.say('MAIL FROM:<rita@far.example>')
      expect(await client.say('RCPT TO:<rita@far.example>')).toMatch(/^55/)
      await client.say('RSET')
      expect(await signIn(client)).toBe('235 2.7.0 Authenticated')
      for (const [at, line] of send.entries())
        expect(await client.say(line)).toBe([accepted, relayed, '250 2.0.0 OK'][at])
      expect(await client.say('MAIL FROM:<rita@far.example>')).toBe(
        '550 5.7.1 You may not send mail with this sender',
      )
      // Reports and automatic replies have the null sender.
      expect(await client.say('MAIL FROM:<>')).toBe(accepted)
      expect(await client.say('RCPT TO:<rita@far.example>')).toBe(relayed)
      expect(await client.say('RSET')).toBe('250 2.0.0 OK')
      expect(await client.say(plain)).toBe('503 5.5.1 Already authenticated')
    }
  })

  it('accepts the null sender only from an identity that may submit mail, and checks the From header', async () => {
    await using setup = await mailListener({ role: access(), settings: { trusted: [], relay: 'keep' } })
    const envelope = ['MAIL FROM:<>', 'RCPT TO:<rita@far.example>', 'DATA']
    for (const [from, reply] of [
      ['shop@office.example', '250 2.0.0 Stored as mail-1'],
      ['rita@far.example', '550 5.7.1 You may not send mail with an address in the From header'],
    ]) {
      const mail = [`From: ${from}`, '', 'Away', '.']
      expect((await smtpReplies(setup.url, 'EHLO client', plain, ...envelope, ...mail)).at(-1)).toBe(reply)
    }
    const role = access(undefined, undefined, [])
    await using other = await mailListener({ role, settings: { trusted: [], relay: 'keep' } })
    const replies = await smtpReplies(other.url, 'EHLO client', plain, 'MAIL FROM:<>')
    expect(replies.at(-1)).toBe('550 5.7.1 You may not send mail with this sender')
    expect(role.records).toContainEqual(expect.objectContaining({ resource: '<>', result: 'denied' }))
  })

  it('accepts mail that nodemailer sends over TLS with a key, and writes ESMTPSA into the trace line', async () => {
    await using setup = await mailListener({ role: { ...access(), submission: true }, settings: { tls } })
    const transport = (pass: string) =>
      createTransport({
        host: 'localhost',
        port: setup.port,
        requireTLS: true,
        tls: { ca: certificate.cert },
        auth: { user, pass },
      })
    const mail = { from: user, to: 'bob@office.example', text: 'Hi' }
    await transport(password).sendMail(mail)
    expect(String(setup.mails[0]!.raw)).toMatch(/^Received: [^\r]*\r\n\tby box\.example with ESMTPSA id /)
    expect(setup.mails[0]!.facts!.client).toMatchObject({ user: 'shop', tls: 'TLSv1.3' })
    await expect(transport(password).sendMail({ ...mail, from: 'bob@office.example' })).rejects.toThrow(
      '5.7.1',
    )
    const wrong = expect(transport('another password').sendMail(mail)).rejects.toThrow('535 5.7.8')
    await waitFor(setup.clock, wrong)
  })
})

describe('a mail listener without access keys', () => {
  it('takes any user and password from programs of this machine, which could not send mail without AUTH', async () => {
    await using setup = await mailListener({ settings: { tls } })
    for (const method of ['PLAIN', 'LOGIN']) {
      const transport = createTransport({
        host: '127.0.0.1',
        port: setup.port,
        ignoreTLS: true,
        authMethod: method,
        auth: { user: 'app', pass: 'secret' },
      })
      await transport.sendMail({ from: 'ann@far.example', to: 'bob@office.example', text: 'Hi' })
      expect(String(setup.mails.pop()!.raw)).toMatch(/^Received: [^\r]*\r\n\tby box\.example with ESMTP id /)
    }
    await using client = await smtpDialogue(setup.url)
    expect(await client.say('EHLO client')).toContain('\nAUTH PLAIN LOGIN\n')
    expect(await client.say(`AUTH PLAIN ${base64('ops\0a\0b')}`)).toBe('235 2.7.0 Accepted without a check')
    expect(await client.say(plain)).toBe('503 5.5.1 Already authenticated')
  })

  it('gives a user of this machine nothing that the machine may not do without AUTH', async () => {
    await using setup = await mailListener({ settings: { trusted: [], relay: 'keep' } })
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    expect(await client.say('AUTH PLAIN !')).toBe('501 5.5.2 Not base64')
    expect(await client.say('AUTH SCRAM-SHA-256')).toBe('504 5.5.4 Unknown mechanism')
    expect(await client.say('AUTH LOGIN')).toBe(`334 ${base64('Username:')}`)
    expect(await client.say('*')).toBe('501 5.7.0 Authentication cancelled')
    expect(await client.say(plain)).toBe('235 2.7.0 Accepted without a check')
    await client.say('MAIL FROM:<ann@far.example>')
    expect(await client.say('RCPT TO:<rita@far.example>')).toBe('550 5.7.1 Relaying denied')
    expect(await client.say('RCPT TO:<bob@office.example>')).toBe('250 2.1.5 Recipient accepted')
  })

  it('says to a user of another machine which setting gives keys', () => {
    expect(anyPassword().refuse({ isSecure: true, address: '192.0.2.2' })).toEqual({
      code: 502,
      text: '5.5.1 Users of other machines need keys: set access in the configuration of this server',
    })
  })
})

describe('a client from another machine', () => {
  // A connection to a non-loopback address of this machine also comes from that address, so the listener treats it
  // like a connection from another machine.
  const addresses = Object.values(networkInterfaces())
    .flatMap(each => each ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
  const of = (family: string) => addresses.find(each => each.family === family)?.address
  const ipv4 = of('IPv4')
  const withAddress = ipv4 === undefined ? it.skip : it
  withAddress(
    `is not offered AUTH without access keys, and learns which setting gives them${ipv4 === undefined ? ' (skipped: no such address)' : ''}`,
    async () => {
      await using setup = await mailListener({ settings: { host: '0.0.0.0' } })
      await using client = await smtpDialogue(`smtp://${ipv4}:${setup.port}`)
      expect(await client.say('EHLO client')).not.toContain('AUTH')
      expect(await client.say(plain)).toBe(
        '502 5.5.1 Users of other machines need keys: set access in the configuration of this server',
      )
    },
  )
  const ways = [
    ['IPv4', '0.0.0.0', of('IPv4')],
    ['IPv4 at an IPv6 listener', '::', of('IPv6') && of('IPv4')],
    ['IPv6', '::', of('IPv6')],
  ] as const

  for (const [way, host, address] of ways)
    it(`can authenticate over ${way} only after STARTTLS${address === undefined ? ' (skipped: no such address)' : ''}`, async () => {
      if (address === undefined) return
      const { access: made, records } = access()
      const role = { access: made, submission: true }
      await using setup = await mailListener({ role, settings: { tls, host } })
      const url = `smtp://${address.includes(':') ? `[${address}]` : address}:${setup.port}`
      await using client = await smtpDialogue(url)
      const offered = await client.say('EHLO client')
      expect(offered).toContain('STARTTLS')
      expect(offered).not.toContain('AUTH')
      for (const line of [plain, 'AUTH LOGIN', 'AUTH SCRAM-SHA-256', `auth plain ${base64('\0a\0b')}`])
        expect(await client.say(line)).toBe('538 5.7.11 Authentication needs TLS: send STARTTLS first')
      expect(await client.say(`MAIL FROM:<${user}>`)).toBe('530 5.7.0 Send STARTTLS first')
      expect(records).toEqual([])
      expect((await client.say('STARTTLS'))?.slice(0, 3)).toBe('220')
      await using inside = dialogueOver(await secured(client))
      expect(await inside.say('EHLO client')).toContain('\nAUTH SCRAM-SHA-256 PLAIN LOGIN\n')
      expect(await inside.say(plain)).toBe('235 2.7.0 Authenticated')
      expect(await inside.say(`MAIL FROM:<${user}>`)).toBe('250 2.1.0 Sender accepted')
    })
})

/** Advances the clock until a promise is settled. */
async function waitFor(clock: { advance: (ms: number) => Promise<void> }, promise: Promise<unknown>) {
  let isSettled = false
  const settled = promise.finally(() => {
    isSettled = true
  })
  while (!isSettled) {
    await new Promise(resolve => setImmediate(resolve))
    await clock.advance(1000)
  }
  await settled
}

describe('a submission listener', () => {
  // The reply that each command gets after the client has authenticated.
  const others: { readonly [name in CommandName]?: string } = {
    MAIL: '250 ',
    RCPT: '503 5.5.1 Send MAIL first',
    DATA: '503 5.5.1 Send RCPT first',
    VRFY: '252 ',
  }
  it.each(Object.entries(commandRules))(
    'accepts the command %s from the clients that the rule "%s" allows',
    async (name, rule) => {
      const { access: made } = access()
      await using setup = await mailListener({ role: { access: made, submission: true }, settings: { tls } })
      await using client = await smtpDialogue(setup.url)
      const argument = { MAIL: ' FROM:<shop@office.example>', RCPT: ' TO:<bob@office.example>', VRFY: ' bob' }
      const line = name + ((argument as { readonly [name: string]: string })[name] ?? '')
      await client.say('EHLO client')
      const reply = await client.say(line)
      if (rule === 'anyone') return expect(reply).not.toMatch(/^530/)
      expect(reply).toBe('530 5.7.0 Authentication required')
      await client.say(plain)
      expect(await client.say(line)).toContain(others[name as CommandName])
    },
  )

  it('refuses mail without authentication', async () => {
    await using setup = await mailListener({ role: { ...access(), submission: true }, settings: { tls } })
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    expect(await client.say('MAIL FROM:<shop@office.example>')).toBe('530 5.7.0 Authentication required')
  })

  it('forgets the identity after STARTTLS, and ignores commands sent together with STARTTLS', async () => {
    const { access: made, records } = access()
    await using setup = await mailListener({ role: { access: made, submission: true }, settings: { tls } })
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    await client.say(plain)
    client.send(`STARTTLS\r\nEHLO injected\r\n${plain}\r\n`)
    expect((await client.next())?.code).toBe(220)
    await using inside = dialogueOver(await secured(client))
    await inside.say('EHLO client')
    expect(await inside.say('MAIL FROM:<shop@office.example>')).toBe('530 5.7.0 Authentication required')
    expect(records).toHaveLength(1)
  })
})

describe('failed authentication', () => {
  const wrong = `AUTH PLAIN ${base64(`\0${user}\0wrong`)}`

  it.each([
    ['a wrong password', wrong],
    ['an unknown name', `AUTH PLAIN ${base64(`\0nobody\0${password}`)}`],
    ['another authorization identity', `AUTH PLAIN ${base64(`ops\0${user}\0${password}`)}`],
  ])('with %s gets its reply after at least a second', async (_, line) => {
    await using setup = await mailListener({ role: access() })
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    const reply = client.say(line)
    await waitFor(setup.clock, reply)
    expect(await reply).toBe('535 5.7.8 Wrong user or password')
    expect(setup.clock.now() - 1_700_000_000_000).toBeGreaterThanOrEqual(1000)
  })

  it('closes the connection at the third attempt, and blocks the network for an hour at the thirtieth', async () => {
    const clock = manualClock(1_700_000_000_000)
    const { access: made, records } = access(clock)
    await using setup = await mailListener({ role: { access: made }, clock })
    for (let connection = 0; connection < 10; connection++) {
      await using client = await smtpDialogue(setup.url)
      await client.say('EHLO client')
      for (let attempt = 1; attempt <= 3; attempt++) {
        const reply = client.say(wrong)
        await waitFor(setup.clock, reply)
        expect(await reply).toMatch(attempt < 3 ? /^535/ : /^421 4\.7\.0/)
      }
    }
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    expect(await client.say(plain)).toBe('421 4.7.0 Too many failed authentications, try again later')
    expect(JSON.stringify(records)).not.toContain(password)
    expect(JSON.stringify(records)).not.toContain('wrong"')
    await setup.clock.advance(3_600_000)
    await using later = await smtpDialogue(setup.url)
    await later.say('EHLO client')
    expect(await later.say(plain)).toBe('235 2.7.0 Authenticated')
  })
})

describe('SCRAM-SHA-256', () => {
  it.each([
    ['a wrong password', user, 'wrong'],
    ['an unknown name', 'nobody', password],
    ['a known name that is followed by a comma and an attribute', `${user},a=b`, password],
  ])('replies "Wrong user or password" to %s, and sends the same salt each time', async (_, name, secret) => {
    // waitFor() advances the clock while a thread derives a key. No time limit must close the connection meanwhile.
    const bounds = { progress: Number.MAX_SAFE_INTEGER }
    await using setup = await mailListener({ role: access(), bounds })
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    const first = await scram(client, name, secret)
    await waitFor(setup.clock, first.final!)
    expect(await first.final).toBe('535 5.7.8 Wrong user or password')
    const second = await scram(client, name, secret)
    expect(second.salt).toBe(first.salt)
    expect(second.nonce).not.toBe(first.nonce)
    await waitFor(setup.clock, second.final!)
  })

  it.each([
    ['channel binding', 'p=tls-unique,,'],
    ['another authorization identity', 'n,a=ops,'],
  ])('refuses a first client message with %s', async (_case, header) => {
    await using setup = await mailListener({ role: access() })
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    expect((await scram(client, user, password, header)).reply).toBe('501 5.5.2 Malformed authentication')
  })
})

it.each([
  ['AUTH', '501 5.5.4 Syntax: AUTH mechanism [response]'],
  ['AUTH CRAM-MD5', '504 5.5.4 Unknown mechanism'],
  ['AUTH toString', '504 5.5.4 Unknown mechanism'],
  ['AUTH PLAIN !', '501 5.5.2 Not base64'],
  ['AUTH PLAIN =', '501 5.5.2 Malformed authentication'],
  ['AUTH PLAIN a b', '501 5.5.4 Syntax: AUTH mechanism [response]'],
])('the command "%s" gets the reply "%s"', async (line, reply) => {
  await using setup = await mailListener({ role: access() })
  await using client = await smtpDialogue(setup.url)
  expect(await client.say(plain)).toBe('503 5.5.1 Send EHLO first')
  await client.say('EHLO client')
  expect(await client.say(line)).toBe(reply)
  expect(await client.say('AUTH LOGIN')).toMatch(/^334/)
  expect(await client.say('*')).toBe('501 5.7.0 Authentication cancelled')
  await client.say('MAIL FROM:<a@b.example>')
  expect(await client.say(plain)).toBe('503 5.5.1 A mail has begun')
})

describe('mail from an authenticated client', () => {
  const send = async (head: string, checkFrom = true) => {
    const { access: made, records } = access()
    await using setup = await mailListener({ role: { access: made }, settings: { checkFrom } })
    await using client = await smtpDialogue(setup.url)
    const lines = [
      'EHLO client',
      plain,
      'MAIL FROM:<shop@office.example>',
      'RCPT TO:<bob@office.example>',
      'DATA',
    ]
    for (const line of lines) await client.say(line)
    const reply = await client.say(`${head}\r\n\r\nHello\r\n.`)
    return { reply, denied: records.at(-1), stored: setup.mails.length }
  }

  it.each([
    ['the client’s own address in the From header', 'From: The shop <shop@office.example>'],
    ['an address in the client’s own domain in the From header', 'From: News@Shop.example'],
    ['a missing From header', 'Subject: none'],
  ])('is accepted with %s', async (_case, head) => {
    expect(await send(head)).toMatchObject({ reply: expect.stringMatching(/^250/), stored: 1 })
  })

  it('is refused if its From header has somebody else’s address, and the access log names that address', async () => {
    expect(await send('From: shop@office.example, Ceo@bank.example')).toEqual({
      reply: '550 5.7.1 You may not send mail with an address in the From header',
      denied: expect.objectContaining({ operation: 'From', resource: 'ceo@bank.example', result: 'denied' }),
      stored: 0,
    })
  })

  it('is refused if mail programs could interpret its From headers in different ways', async () => {
    const head = 'From: shop@office.example\r\nFrom: ceo@bank.example'
    expect(await send(head)).toMatchObject({
      reply: '550 5.7.1 The From header must name addresses in one clear form',
      stored: 0,
    })
  })

  it.each(['Sender', 'Resent-From', 'Resent-Sender'])(
    'cannot name somebody else in the header %s',
    async header => {
      const head = `From: shop@office.example\r\n${header}`
      expect(await send(`${head}: shop@office.example`)).toMatchObject({ stored: 1 })
      expect(await send(`${head}: Ceo@bank.example`)).toEqual({
        reply: `550 5.7.1 You may not send mail with an address in the ${header} header`,
        denied: expect.objectContaining({
          operation: header,
          resource: 'ceo@bank.example',
          result: 'denied',
        }),
        stored: 0,
      })
      expect(await send(`${head}: somebody`)).toMatchObject({
        reply: `550 5.7.1 The ${header} header must name addresses in one clear form`,
        stored: 0,
      })
    },
  )

  it('may have any address in the From header if checkFrom is false', async () => {
    expect(await send('From: ceo@bank.example', false)).toMatchObject({ stored: 1 })
  })
})

it('an identity that exceeds its limits gets 450 for its next mail on every connection', async () => {
  const clock = manualClock(1_700_000_000_000)
  const { access: made } = access(clock, { requests: 1, bytes: 1000, window: 60 })
  await using setup = await mailListener({ role: { access: made }, clock })
  const send = async (text: string) => {
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    await client.say(plain)
    const reply = await client.say('MAIL FROM:<shop@office.example>')
    if (!reply!.startsWith('250')) return reply
    for (const line of ['RCPT TO:<bob@office.example>', 'DATA']) await client.say(line)
    return (await client.say(`${text}\r\n.`))!.slice(0, 3)
  }
  expect(await send('Hello')).toBe('250')
  expect(await send('Hello')).toBe('450 4.7.1 Too many mails, try again after 60 seconds')
  await clock.advance(60_000)
  expect(await send('x'.repeat(900).concat('\r\n').repeat(3))).toBe('250')
  expect(await send('Hello')).toMatch(/^450 4\.7\.1 Too many mails, try again after 1\d\d seconds$/)
})
