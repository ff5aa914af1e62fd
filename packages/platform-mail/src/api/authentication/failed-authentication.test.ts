import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { access, base64, password, plain, user, waitFor } from '../../testing/authenticating-client.ts'
import { mailListener } from '../../testing/mail-listener.ts'
import { smtpDialogue } from '../../testing/smtp-dialogue.ts'

describe('failed authentication', () => {
  const wrong = `AUTH PLAIN ${base64(`\0${user}\0wrong`)}`

  it.each([
    ['a wrong password', wrong],
    ['an unknown name', `AUTH PLAIN ${base64(`\0nobody\0${password}`)}`],
    ['another authorization identity', `AUTH PLAIN ${base64(`ops\0${user}\0${password}`)}`],
  ])('with %s gets its reply after at least a second', async (_, line) => {
    await using setup = await mailListener({ role: access() })
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    const reply = client.say(line)
    await waitFor(setup.clock, reply)
    expect(await reply).toBe('535 5.7.8 Wrong user or password')
    expect(setup.clock.now() - 1_700_000_000_000).toBeGreaterThanOrEqual(1000)
  })

  it('closes the connection at the third attempt, and blocks the network for an hour at the thirtieth', async () => {
    const clock = manualClock(1_700_000_000_000)
    const { access: made, records } = access(clock)
    await using setup = await mailListener({ role: { access: made }, clock })
    for (let connection = 0; connection < 10; connection++) {
      await using client = await smtpDialogue(setup.url)
      await client.say('EHLO client')
      for (let attempt = 1; attempt <= 3; attempt++) {
        const reply = client.say(wrong)
        await waitFor(setup.clock, reply)
        expect(await reply).toMatch(attempt < 3 ? /^535/ : /^421 4\.7\.0/)
      }
    }
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    expect(await client.say(plain)).toBe('421 4.7.0 Too many failed authentications, try again later')
    expect(JSON.stringify(records)).not.toContain(password)
    expect(JSON.stringify(records)).not.toContain('wrong"')
    await setup.clock.advance(3_600_000)
    await using later = await smtpDialogue(setup.url)
    await later.say('EHLO client')
    expect(await later.say(plain)).toBe('235 2.7.0 Authenticated')
  })
})

it('an identity that exceeds its limits gets 450 for its next mail on every connection', async () => {
  const clock = manualClock(1_700_000_000_000)
  const { access: made } = access(clock, { requests: 1, bytes: 1000, window: 60 })
  await using setup = await mailListener({ role: { access: made }, clock })
  const send = async (text: string) => {
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    await client.say(plain)
    const reply = await client.say('MAIL FROM:<shop@office.example>')
    if (!reply!.startsWith('250')) return reply
    for (const line of ['RCPT TO:<bob@office.example>', 'DATA']) await client.say(line)
    return (await client.say(`${text}\r\n.`))!.slice(0, 3)
  }
  expect(await send('Hello')).toBe('250')
  expect(await send('Hello')).toBe('450 4.7.1 Too many mails, try again after 60 seconds')
  await clock.advance(60_000)
  expect(await send('x'.repeat(900).concat('\r\n').repeat(3))).toBe('250')
  expect(await send('Hello')).toMatch(/^450 4\.7\.1 Too many mails, try again after 1\d\d seconds$/)
})
