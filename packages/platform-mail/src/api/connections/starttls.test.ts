import { once } from 'node:events'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { expect, it } from '@jest/globals'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { createTransport } from 'nodemailer'
import { mailListener } from '../../testing/mail-listener.ts'
import { dialogueOver, type SmtpDialogue, smtpDialogue } from '../../testing/smtp-dialogue.ts'

const tls = { cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) }

async function secured(client: SmtpDialogue): Promise<TLSSocket> {
  client.socket.removeAllListeners('data')
  const socket = connectTls({ socket: client.socket, ca: certificate.cert, servername: 'localhost' })
  await once(socket, 'secureConnect')
  return socket
}

it('STARTTLS is offered if a certificate is configured, unless TLS is already in use (RFC 3207)', async () => {
  await using setup = await mailListener({ settings: { tls } })
  await using client = await smtpDialogue(setup.url)
  expect(await client.say('EHLO client')).toContain('\nSTARTTLS\n')
  expect(await client.say('STARTTLS now')).toBe('501 5.5.4 STARTTLS takes no parameters')
  expect(await client.say('STARTTLS')).toBe('220 2.0.0 Ready to start TLS')
  await using inside = dialogueOver(await secured(client))
  expect(await inside.say('EHLO client')).not.toContain('STARTTLS')
  expect(await inside.say('STARTTLS')).toBe('503 5.5.1 TLS is already active')
})

it('the trace line of a mail over TLS says ESMTPS (RFC 3848)', async () => {
  await using setup = await mailListener({ settings: { tls } })
  const host = { host: 'localhost', port: setup.port, requireTLS: true }
  const transport = createTransport({ ...host, tls: { ca: certificate.cert } })
  await transport.sendMail({ from: 'ann@far.example', to: 'bob@office.example', text: 'Hi' })
  expect(String(setup.mails[0]!.raw)).toMatch(/^Received: [^\r]*\r\n\tby box\.example with ESMTPS id /)
  expect(setup.mails[0]!.facts!.client).toMatchObject({ address: '127.0.0.1', tls: 'TLSv1.3' })
  await expect(
    createTransport(host).sendMail({ from: 'a@far.example', to: 'b@office.example', text: 'Hi' }),
  ).rejects.toThrow('self-signed certificate')
})

it('commands sent before the TLS handshake, or together with STARTTLS, are forgotten (RFC 3207, 4.2)', async () => {
  await using setup = await mailListener({ settings: { tls } })
  await using client = await smtpDialogue(setup.url)
  for (const line of ['EHLO client', 'MAIL FROM:<evil@far.example>', 'RCPT TO:<bob@office.example>'])
    await client.say(line)
  const along = ['MAIL FROM:<evil@far.example>', 'RCPT TO:<eve@office.example>', 'GET / HTTP/1.1', '\0']
  client.send(['STARTTLS', ...along, ...along, ''].join('\r\n'))
  expect(await client.next()).toMatchObject({ code: 220 })
  await using inside = dialogueOver(await secured(client))
  expect(await inside.say('MAIL FROM:<ann@far.example>')).toBe('503 5.5.1 Send EHLO first')
  await inside.say('EHLO client')
  expect(await inside.say('DATA')).toBe('503 5.5.1 Send RCPT first')
  expect(await inside.say('MAIL FROM:<ann@far.example>')).toBe('250 2.1.0 Sender accepted')
})

it('a failed TLS handshake closes only its own connection', async () => {
  await using setup = await mailListener({ settings: { tls } })
  for (const nonsense of ['EHLO client\r\n', Buffer.from('1603010005010000ff', 'hex'), '']) {
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    await client.say('STARTTLS')
    client.send(nonsense)
    if (nonsense === '') client.socket.destroy()
    await client.finish().catch(() => {})
  }
  await using other = await smtpDialogue(setup.url)
  expect(await other.say('NOOP')).toBe('250 2.0.0 OK')
})

it('connection limits also apply to connections over TLS', async () => {
  await using setup = await mailListener({ settings: { tls } })
  await using client = await smtpDialogue(setup.url)
  await client.say('EHLO client')
  await client.say('STARTTLS')
  await using inside = dialogueOver(await secured(client))
  inside.send('x'.repeat(3000))
  expect(await inside.next()).toEqual({ code: 500, text: '5.5.6 Line too long' })
  expect(await inside.next()).toBeUndefined()
})

it('a stopping listener does not wait for TLS handshakes', async () => {
  await using setup = await mailListener({ settings: { tls } })
  await using client = await smtpDialogue(setup.url)
  await client.say('EHLO client')
  await client.say('STARTTLS')
  client.send(Buffer.from('16030100c8', 'hex'))
  await new Promise(resolve => setTimeout(resolve, 20))
  await setup.stop(1000)
  expect(await client.next()).toBeUndefined()
})
