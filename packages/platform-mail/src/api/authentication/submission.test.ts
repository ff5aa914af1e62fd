import { describe, expect, it } from '@jest/globals'
import { access, plain, secured, tls } from '../../testing/authenticating-client.ts'
import { mailListener } from '../../testing/mail-listener.ts'
import { dialogueOver, smtpDialogue } from '../../testing/smtp-dialogue.ts'
import { type CommandName, commandRules } from '../commands/command-rules.ts'

describe('a submission listener', () => {
  // The reply that each command gets after the client has authenticated.
  const others: { readonly [name in CommandName]?: string } = {
    MAIL: '250 ',
    RCPT: '503 5.5.1 Send MAIL first',
    DATA: '503 5.5.1 Send RCPT first',
    VRFY: '252 ',
  }
  it.each(Object.entries(commandRules))(
    'accepts the command %s from the clients that the rule "%s" allows',
    async (name, rule) => {
      const { access: made } = access()
      await using setup = await mailListener({ role: { access: made, submission: true }, settings: { tls } })
      await using client = await smtpDialogue(setup.url)
      const argument = { MAIL: ' FROM:<shop@office.example>', RCPT: ' TO:<bob@office.example>', VRFY: ' bob' }
      const line = name + ((argument as { readonly [name: string]: string })[name] ?? '')
      await client.say('EHLO client')
      const reply = await client.say(line)
      if (rule === 'anyone') return expect(reply).not.toMatch(/^530/)
      expect(reply).toBe('530 5.7.0 Authentication required')
      await client.say(plain)
      expect(await client.say(line)).toContain(others[name as CommandName])
    },
  )

  it('refuses mail without authentication', async () => {
    await using setup = await mailListener({ role: { ...access(), submission: true }, settings: { tls } })
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    expect(await client.say('MAIL FROM:<shop@office.example>')).toBe('530 5.7.0 Authentication required')
  })

  it('forgets the identity after STARTTLS, and ignores commands sent together with STARTTLS', async () => {
    const { access: made, records } = access()
    await using setup = await mailListener({ role: { access: made, submission: true }, settings: { tls } })
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    await client.say(plain)
    client.send(`STARTTLS\r\nEHLO injected\r\n${plain}\r\n`)
    expect((await client.next())?.code).toBe(220)
    await using inside = dialogueOver(await secured(client))
    await inside.say('EHLO client')
    expect(await inside.say('MAIL FROM:<shop@office.example>')).toBe('530 5.7.0 Authentication required')
    expect(records).toHaveLength(1)
  })
})
