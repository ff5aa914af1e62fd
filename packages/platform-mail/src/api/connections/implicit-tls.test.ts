import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { describe, expect, it } from '@jest/globals'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { createTransport } from 'nodemailer'
import { mailListener } from '../../testing/mail-listener.ts'
import { dialogueOver, smtpDialogue } from '../../testing/smtp-dialogue.ts'

const tls = { cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) }
const listener = (more: object = {}) =>
  mailListener({ settings: { tls, ...more }, role: { implicitTls: true } })

/** Connects with TLS from the first byte. */
async function secured(port: number) {
  const socket = connectTls({ port, ca: certificate.cert, servername: 'localhost' })
  const dialogue = dialogueOver(socket)
  await once(socket, 'secureConnect')
  return dialogue
}

describe('a listener with implicit TLS (RFC 8314)', () => {
  it('greets within TLS, offers no STARTTLS, and writes ESMTPS into the trace line', async () => {
    await using setup = await listener()
    expect(setup.url).toBe(`smtps://127.0.0.1:${setup.port}`)
    await using client = await secured(setup.port)
    expect(await client.next()).toMatchObject({ code: 220 })
    expect(await client.say('EHLO client')).not.toContain('STARTTLS')
    expect(await client.say('STARTTLS')).toBe('503 5.5.1 TLS is already active')
    const transport = createTransport({
      ...{ host: 'localhost', port: setup.port, secure: true, tls: { ca: certificate.cert } },
    })
    await transport.sendMail({ from: 'ann@far.example', to: 'bob@office.example', text: 'Hi' })
    expect(String(setup.mails[0]!.raw)).toMatch(/^Received: [^\r]*\r\n\tby box\.example with ESMTPS id /)
    expect(setup.mails[0]!.facts!.client).toMatchObject({ tls: 'TLSv1.3' })
  })

  it('says nothing to a client in plain text, and closes its connection', async () => {
    await using setup = await listener()
    await using client = await smtpDialogue(setup.url.replace('smtps', 'smtp'), false)
    client.send('EHLO client\r\n')
    expect(await client.next()).toBeUndefined()
    await using other = await secured(setup.port)
    expect(await other.next()).toMatchObject({ code: 220 })
  })

  it('closes a connection above the limit of an address without a reply in plain text', async () => {
    await using setup = await listener({ maxConnectionsPerAddress: 1, maxConnections: 2 })
    await using first = await secured(setup.port)
    expect(await first.next()).toMatchObject({ code: 220 })
    const socket = connect(setup.port, '127.0.0.1')
    let received = 0
    socket.on('data', ({ length }) => {
      received += length
    })
    socket.on('error', () => {})
    await once(socket, 'close')
    expect(received).toBe(0)
  })

  it('does not wait for TLS handshakes when it stops', async () => {
    await using setup = await listener()
    await using client = await smtpDialogue(setup.url.replace('smtps', 'smtp'), false)
    client.send(Buffer.from('16030100c8', 'hex'))
    await using other = await secured(setup.port)
    await other.next()
    await setup.stop(1000)
    expect(await client.next()).toBeUndefined()
  })
})
