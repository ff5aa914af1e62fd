import { describe, expect, it } from '@jest/globals'
import { parserOf } from './parse-mail.ts'

describe('parserOf', () => {
  it('takes a mail apart, attachments and other scripts included', async () => {
    const raw = [
      'From: =?utf-8?q?D=C3=B6rte?= <doerte@office.example>',
      'To: Team: ann@office.example, bob@office.example;',
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Grüße',
      '--x',
      'Content-Type: application/pdf; name=a.pdf',
      'Content-Disposition: attachment; filename=a.pdf',
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERi0=',
      '--x--',
      '',
    ].join('\r\n')
    const mail = await parserOf('postal-mime')(Buffer.from(raw))
    expect(mail).toMatchObject({
      from: { name: 'Dörte', address: 'doerte@office.example' },
      to: [{ name: 'Team', group: [{ address: 'ann@office.example' }, { address: 'bob@office.example' }] }],
      text: expect.stringContaining('Grüße'),
      attachments: [{ filename: 'a.pdf', mimeType: 'application/pdf' }],
    })
    expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).toString()).toBe('%PDF-')
  })

  it('says which package is missing, and what else one can do', async () => {
    await expect(parserOf('no-such-parser')('')).rejects.toMatchObject({
      name: 'InvalidOptionError',
      message:
        'Parsing a mail needs the package no-such-parser: install it, or give mailFlow() the option parseMessage.',
      cause: expect.objectContaining({ message: expect.stringContaining('no-such-parser') }),
    })
  })
})
