import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { type Break, breakOff } from '../../testing/breaking-network.ts'
import { mailListener } from '../../testing/mail-listener.ts'
import { smtpDialogue } from '../../testing/smtp-dialogue.ts'

const conversation = [
  'EHLO client',
  'MAIL FROM:<>',
  'RCPT TO:<bob@office.example>',
  'DATA',
  'A: b',
  '',
  '.',
  'NOOP',
  '',
].join('\r\n')

it.each<Break>(['reset', 'half-close', 'close'])(
  'no timer is left when clients end the connection with a %s after any byte',
  async how => {
    await using setup = await mailListener({ accept: () => delay(20) })
    const lengths = Array.from({ length: conversation.length + 1 }, (_, length) => length)
    for (const wait of [0, 5]) {
      await Promise.all(
        lengths.map(async length => {
          const client = await smtpDialogue(setup.url, false, `127.0.0.${2 + (length % 50)}`)
          client.send(conversation.slice(0, length))
          await delay(wait)
          breakOff(client.socket, how)
          if (how === 'half-close') await client.finish()
        }),
      )
    }
    for (let i = 0; i < 100 && setup.clock.waiting > 0; i++) await delay(10)
    expect(setup.clock.waiting).toBe(0)
  },
)
