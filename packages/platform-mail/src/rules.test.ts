import { describe, expect, it } from '@jest/globals'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import type { MailConfig } from './config/mail-config.ts'
import { mailSetup } from './testing/mail-setup.ts'

const everyone = (type: string) => ({ actions: [{ action: { type }, allRecipients: true }] })

type Rule = NonNullable<MailConfig['rules']>[number]

/** Starts a platform whose rules have the functions a, b, c, … in this order. */
async function setupWith(rules: readonly Omit<Rule, 'function'>[], more: Partial<MailConfig> = {}) {
  const calls: string[] = []
  const names = rules.map((_, at) => String.fromCharCode(97 + at))
  const functions = Object.fromEntries(
    names.map(name => [
      name,
      {
        handler: (event: MailEvent) => {
          calls.push(`${name}: ${event.envelope.recipients.map(({ address }) => address).join(' ')}`)
          return everyone('DEFAULT')
        },
      },
    ]),
  )
  const setup = await mailSetup(() => {}, {
    ...{
      functions,
      relay: 'keep',
      domains: { 'office.example': { to: 'mailboxes', aliases: { it: 'ann' } } },
    },
    ...more,
    rules: rules.map((rule, at) => ({ ...rule, function: names[at]! })),
  })
  return { ...setup, calls }
}

const inbound = { direction: 'INBOUND' } as const

describe('of several rules, the most specific one applies', () => {
  const rules: Omit<Rule, 'function'>[] = [
    { direction: 'OUTBOUND', recipients: ['partner.example'] },
    inbound,
    { ...inbound, recipients: ['ann@office.example'] },
    { ...inbound, senders: ['*.far.example'] },
    { ...inbound, senders: ['boss@far.example'] },
    { ...inbound, senders: ['<>'], recipients: ['bob@office.example'] },
    { ...inbound, recipients: ['news-*@office.example'], senders: ['far.example'] },
  ]
  it.each([
    ['ann@else.example', 'kim@office.example', 'b'],
    ['ann@else.example', 'ann@office.example', 'c'],
    ['ann@else.example', 'ANN+x@office.example', 'c'],
    ['ann@else.example', 'it@office.example', 'c'],
    ['eve@a.far.example', 'kim@office.example', 'd'],
    // Both rules name one address, and the first one applies.
    ['boss@far.example', 'ann@office.example', 'c'],
    ['Boss@FAR.example', 'kim@office.example', 'e'],
    ['', 'bob@office.example', 'f'],
    ['', 'kim@office.example', 'b'],
    ['eve@far.example', 'news-1@office.example', 'g'],
    ['eve@else.example', 'news-1@office.example', 'b'],
    ['eve@else.example', 'kim@partner.example', 'a'],
    ['eve@else.example', 'kim@other.example', undefined],
  ])('to a mail from "%s" to %s', async (from, to, name) => {
    await using setup = await setupWith(rules)
    const id = await setup.send({ from, to })
    await setup.calm()
    expect(setup.calls).toEqual(name === undefined ? [] : [`${name}: ${to}`])
    expect(await setup.recipientStates(id)).toEqual({ [to]: 'delivered' })
  })
})

it('a mail invokes the function of each rule with the recipients of this rule', async () => {
  await using setup = await setupWith([
    { ...inbound, recipients: ['ann@office.example', 'bob@office.example'] },
    inbound,
    { direction: 'OUTBOUND' },
  ])
  const to = ['kim', 'ann', 'zoe', 'bob'].map(name => `${name}@office.example`)
  await setup.send({ to: [...to, 'eve@far.example'] })
  await setup.calm()
  expect(setup.calls.toSorted()).toEqual([
    'a: ann@office.example bob@office.example',
    'b: kim@office.example zoe@office.example',
    'c: eve@far.example',
  ])
})

it('two rules with the same function invoke it twice, with separate results', async () => {
  const answers = ({ envelope }: MailEvent) =>
    everyone(envelope.recipients.some(({ address }) => address.startsWith('ann')) ? 'DROP' : 'DEFAULT')
  await using setup = await mailSetup(answers, {
    rules: [
      { ...inbound, function: 'sort', recipients: ['ann@office.example'] },
      { ...inbound, function: 'sort' },
    ],
  })
  const id = await setup.send({ to: ['ann@office.example', 'bob@office.example'] })
  await setup.calm()
  expect(setup.events).toHaveLength(2)
  expect(await setup.recipientStates(id)).toEqual({
    'ann@office.example': 'dropped',
    'bob@office.example': 'delivered',
  })
})

it.each([
  ['MOVE_TO_JUNK', 'junk'],
  ['BYPASS_SPAM_CHECK', 'inbox'],
] as const)('the fallback %s delivers to the folder %s when the function fails', async (fallback, folder) => {
  await using setup = await mailSetup(
    () => {
      throw new Error('broken')
    },
    { inbound: { fallback } },
  )
  const raw = 'X-Spam-Flag: YES\r\nSubject: x\r\n\r\nHi!\r\n'
  await setup.send({ raw })
  await setup.calm()
  expect(await setup.inbox('bob@office.example')).toMatchObject([{ folder }])
})
