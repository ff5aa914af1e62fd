import { describe, expect, it } from '@jest/globals'
import { access, password, plain, scram, user, waitFor } from '../../testing/authenticating-client.ts'
import { mailListener } from '../../testing/mail-listener.ts'
import { smtpDialogue } from '../../testing/smtp-dialogue.ts'

describe('SCRAM-SHA-256', () => {
  it.each([
    ['a wrong password', user, 'wrong'],
    ['an unknown name', 'nobody', password],
    ['a known name that is followed by a comma and an attribute', `${user},a=b`, password],
  ])('replies "Wrong user or password" to %s, and sends the same salt each time', async (_, name, secret) => {
    // waitFor() advances the clock while a thread derives a key. No time limit must close the connection meanwhile.
    const bounds = { progress: Number.MAX_SAFE_INTEGER }
    await using setup = await mailListener({ role: access(), bounds })
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    const first = await scram(client, name, secret)
    await waitFor(setup.clock, first.final!)
    expect(await first.final).toBe('535 5.7.8 Wrong user or password')
    const second = await scram(client, name, secret)
    expect(second.salt).toBe(first.salt)
    expect(second.nonce).not.toBe(first.nonce)
    await waitFor(setup.clock, second.final!)
  })

  it.each([
    ['channel binding', 'p=tls-unique,,'],
    ['another authorization identity', 'n,a=ops,'],
  ])('refuses a first client message with %s', async (_case, header) => {
    await using setup = await mailListener({ role: access() })
    await using client = await smtpDialogue(setup.url)
    await client.say('EHLO client')
    expect((await scram(client, user, password, header)).reply).toBe('501 5.5.2 Malformed authentication')
  })
})

it.each([
  ['AUTH', '501 5.5.4 Syntax: AUTH mechanism [response]'],
  ['AUTH CRAM-MD5', '504 5.5.4 Unknown mechanism'],
  ['AUTH toString', '504 5.5.4 Unknown mechanism'],
  ['AUTH PLAIN !', '501 5.5.2 Not base64'],
  ['AUTH PLAIN =', '501 5.5.2 Malformed authentication'],
  ['AUTH PLAIN a b', '501 5.5.4 Syntax: AUTH mechanism [response]'],
])('the command "%s" gets the reply "%s"', async (line, reply) => {
  await using setup = await mailListener({ role: access() })
  await using client = await smtpDialogue(setup.url)
  expect(await client.say(plain)).toBe('503 5.5.1 Send EHLO first')
  await client.say('EHLO client')
  expect(await client.say(line)).toBe(reply)
  expect(await client.say('AUTH LOGIN')).toMatch(/^334/)
  expect(await client.say('*')).toBe('501 5.7.0 Authentication cancelled')
  await client.say('MAIL FROM:<a@b.example>')
  expect(await client.say(plain)).toBe('503 5.5.1 A mail has begun')
})
