import { describe, expect, it } from '@jest/globals'
import { mailVerdict } from '@signalbox/mail-flow/contract'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { handler } from './handler.ts'
import { scenes } from './scenes.ts'

async function dispositions(event: ReturnType<typeof mailEvent>) {
  const verdict = mailVerdict(JSON.stringify(await handler(event)), event, { fallback: 'DROP' })
  if (verdict.kind !== 'decided') throw new Error(`not decided: ${JSON.stringify(verdict)}`)
  return new Map(
    verdict.recipients.map(({ address, disposition, action }) => [address, { disposition, action }]),
  )
}

// #region test
it('a mail to Ann and Gina is delivered to Ann, and bounces for Gina', async () => {
  const event = mailEvent({ recipients: ['ann@office.example', 'gina@office.example'] })
  const payload = JSON.stringify(await handler(event))
  const { recipients } = mailVerdict(payload, event, { fallback: 'DROP' })
  expect(recipients.map(({ disposition }) => disposition)).toEqual(['deliver', 'bounce'])
})
// #endregion test

describe('a mail to present and former employees', () => {
  const recipients = [
    'ann@office.example',
    'gina@OFFICE.example',
    'omar@office.example',
    'bela@office.example',
  ]
  const event = mailEvent({ from: 'rita@partner.example', recipients })

  it.each(['ann@office.example', 'bela@office.example'])('is delivered to %s', async recipient => {
    expect((await dispositions(event)).get(recipient)?.disposition).toBe('deliver')
  })

  it.each([
    ['gina@OFFICE.example', 'Gina has left the office. Please write to ann@office.example.'],
    ['omar@office.example', 'Omar has left the office. Please write to sales@office.example.'],
  ])('bounces for %s, with the address of a successor', async (recipient, bounceMessage) => {
    expect((await dispositions(event)).get(recipient)).toEqual({
      disposition: 'bounce',
      action: { type: 'BOUNCE', parameters: { bounceMessage } },
    })
  })
})

describe('a mail to the mailroom', () => {
  const recipients = ['ann@office.example', 'gina@office.example']

  it.each(recipients)('is dropped for %s if the blocklist contains its sender', async recipient => {
    const byDomain = mailEvent({ from: 'prince@SPAM.example', recipients })
    expect((await dispositions(byDomain)).get(recipient)?.disposition).toBe('drop')
    const byAddress = mailEvent({ from: 'winner@lottery.example', recipients })
    expect((await dispositions(byAddress)).get(recipient)?.disposition).toBe('drop')
  })

  it('is delivered if it comes from not-spam.example, although the blocklist contains spam.example', async () => {
    const event = mailEvent({ from: 'ham@not-spam.example', recipients: ['ann@office.example'] })
    expect((await dispositions(event)).get('ann@office.example')?.disposition).toBe('deliver')
  })
})

describe('the mailroom demo', () => {
  it.each(scenes)(
    'shows the expected verdict for the scene "$happens"',
    async ({ event, handler, conclude, expected }) => {
      expect(conclude(JSON.stringify(await handler(event)), event)).toBe(expected)
    },
  )
})
