import { describe, expect, it } from '@jest/globals'
import { access, plain } from '../../testing/authenticating-client.ts'
import { mailListener } from '../../testing/mail-listener.ts'
import { smtpDialogue } from '../../testing/smtp-dialogue.ts'

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
