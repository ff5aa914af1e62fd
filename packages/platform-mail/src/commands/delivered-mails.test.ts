import { expect, it } from '@jest/globals'
import { contentOf } from './delivered-mails.ts'

it.each([
  ['parts', `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(100_000)}`],
  ['nested mails', 'Content-Type: Message/RFC822\r\n\r\n'.repeat(20_000)],
])('signalbox mail show quickly prints a mail with thousands of %s as raw text', async (_, mail) => {
  expect(await contentOf(Buffer.from(mail))).toEqual({
    from: '',
    to: '',
    date: '',
    text: mail,
    attachments: [],
  })
})

it('signalbox mail show prints the text of all parts of an ordinary multipart mail', async () => {
  const part = '--b\r\n\r\nHi!\r\n'
  const mail = `From: Ann <a@x.example>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part}${part}--b--\r\n`
  expect(await contentOf(Buffer.from(mail))).toMatchObject({
    from: 'Ann <a@x.example>',
    text: 'Hi!\n\nHi!\n',
  })
})
