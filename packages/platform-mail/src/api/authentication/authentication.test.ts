import { networkInterfaces } from 'node:os'
import { describe, expect, it } from '@jest/globals'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { createTransport } from 'nodemailer'
import {
  access,
  base64,
  password,
  plain,
  scram,
  secured,
  tls,
  user,
  waitFor,
} from '../../testing/authenticating-client.ts'
import { mailListener } from '../../testing/mail-listener.ts'
import { dialogueOver, type SmtpDialogue, smtpDialogue, smtpReplies } from '../../testing/smtp-dialogue.ts'
import { anyPassword } from './any-password.ts'

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
