import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from '@jest/globals'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { mailDomains, mailListener } from '../testing/mail-listener.ts'

const tls = { cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) }

it('nodemailer sends many mails with attachments over a few connections', async () => {
  await using setup = await mailListener()
  const transport = createTransport({ host: '127.0.0.1', port: setup.port, pool: true, maxConnections: 3 })
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      transport.sendMail({
        from: '"Dörte" <doerte@far.example>',
        to: ['bob@office.example', 'Ann <ann@office.example>'],
        subject: `Grüße ${number}`,
        text: '.\n..\nÄ\n.',
        attachments: [{ filename: 'x.bin', content: Buffer.from([0, 13, 10, 46, 13, 10, 255]) }],
      }),
    ),
  )
  transport.close()
  expect(sent.every(({ response }) => /^250 2\.0\.0 Stored as mail-\d+$/.test(String(response)))).toBe(true)
  expect(setup.mails).toHaveLength(20)
  const mail = await PostalMime.parse(setup.mails[0]!.raw)
  expect(mail).toMatchObject({ subject: expect.stringMatching(/^Grüße \d+$/), text: '.\n..\nÄ\n.' })
  expect(Buffer.from(mail.attachments[0]!.content as ArrayBuffer)).toEqual(
    Buffer.from([0, 13, 10, 46, 13, 10, 255]),
  )
})

it('nodemailer reports refused recipients', async () => {
  const domains = mailDomains({ 'office.example': ['bob'] })
  await using setup = await mailListener({ settings: { domains } })
  const transport = createTransport({ host: '127.0.0.1', port: setup.port })
  const to = ['bob@office.example', 'eve@office.example']
  const { accepted, rejected } = await transport.sendMail({ from: 'a@far.example', to, text: 'Hi' })
  expect({ accepted, rejected }).toEqual({
    accepted: ['bob@office.example'],
    rejected: ['eve@office.example'],
  })
})

/** The command line client swaks, from the Debian package of the same name. */
const client: string = 'swaks'
const hasSwaks = spawnSync(client, ['--version']).status === 0

const withSwaks = hasSwaks ? it : it.skip

withSwaks(`swaks sends mail with and without TLS${hasSwaks ? '' : ' (skipped: needs swaks)'}`, async () => {
  await using setup = await mailListener({ settings: { tls } })
  const swaks = async (...more: string[]) => {
    const envelope = ['--from', 'ann@far.example', '--to', 'bob@office.example,eve@office.example']
    const child = execFile(client, ['--server', `127.0.0.1:${setup.port}`, ...envelope, ...more])
    let output = ''
    child.stdout!.on('data', data => (output += data))
    const [code] = await once(child, 'close')
    return { code, output }
  }
  expect(await swaks('--header', 'Subject: swaks', '--body', '.\n..hello')).toMatchObject({
    code: 0,
    output: expect.stringContaining('<-  250 2.0.0 Stored as mail-1'),
  })
  expect(await swaks('--tls', '--pipeline')).toMatchObject({ code: 0 })
  // Exit code 24 means that all recipients were refused.
  expect(await swaks('--to', 'eve@elsewhere.example')).toMatchObject({ code: 24 })
  expect(setup.mails.map(({ recipients }) => recipients.length)).toEqual([2, 2])
  expect(String(setup.mails[0]!.raw)).toMatch(/Subject: swaks\r\n[\s\S]*\r\n\r\n\.\r\n\.\.hello\r\n/)
})
