import { describe, expect, it } from '@jest/globals'
import { mailListener } from '../testing/mail-listener.ts'
import { smtpReplies } from '../testing/smtp-dialogue.ts'

describe('the mail listener', () => {
  it.each([
    [
      'HTTP',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\nEHLO x\r\nMAIL FROM:<>\r\n',
      '500 5.5.2 This is an SMTP server',
    ],
    ['HTTP in lower case', 'get /x http/1.0\r\n', '500 5.5.2 This is an SMTP server'],
    ['TLS', Buffer.from('16030100c8010000c403', 'hex'), '500 5.5.2 Send STARTTLS before TLS'],
  ])(
    'sends a single error, and nothing else, to a client that speaks %s',
    async (_protocol, said, expected) => {
      await using setup = await mailListener()
      expect(await smtpReplies(setup.url, said)).toEqual([expected])
      expect(setup.mails).toEqual([])
    },
  )
})
