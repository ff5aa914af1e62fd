import { expect, it } from '@jest/globals'
import { contentOf } from './delivered-mails.ts'

it.each([
  ['parts', `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(100_000)}`],
  ['mails within mails', 'Content-Type: Message/RFC822\r\n\r\n'.repeat(20_000)],
])('a mail of thousands of %s is shown as raw text, without a long wait', async (_, mail) => {
  expect(await contentOf(Buffer.from(mail))).toEqual({
    from: '',
    to: '',
    date: '',
    text: mail,
    attachments: [],
  })
})

it('a mail with a few parts is shown with the text of its parts', async () => {
  const part = '--b\r\n\r\nHi!\r\n'
  const mail = `From: Ann <a@x.example>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part}${part}--b--\r\n`
  expect(await contentOf(Buffer.from(mail))).toMatchObject({
    from: 'Ann <a@x.example>',
    text: 'Hi!\n\nHi!\n',
  })
})
