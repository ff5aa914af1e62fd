import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { arbitraryMailEvent, arbitraryMailResponse } from '../testing/arbitrary.ts'
import { mailEvent } from '../testing/index.ts'
import { actionKey } from './action-key.ts'
import { addressKey } from './address.ts'
import { recipientVerdicts } from './recipient-verdicts.ts'
import type { MailDecision } from './response.ts'

const fallback = { type: 'BOUNCE', parameters: { bounceMessage: 'fallback' } } as const
const drop: MailDecision['action'] = { type: 'DROP' }
const bounce = (bounceMessage: string) => ({ type: 'BOUNCE' as const, parameters: { bounceMessage } })
const [ann, bob, cyd] = ['ann@office.example', 'bob@office.example', 'cyd@office.example'] as const
const event = mailEvent({ recipients: [ann, bob, cyd] })

function dispositions(...actions: readonly MailDecision[]) {
  return recipientVerdicts({ actions }, event, fallback).recipients.map(
    ({ address, disposition, reason, why }) => [address, disposition, reason, why],
  )
}

describe('recipientVerdicts()', () => {
  it('applies an action to the recipients that it names, and an action with allRecipients to all others', () => {
    expect(
      dispositions({ action: drop, allRecipients: true }, { action: bounce('x'), recipients: [bob] }),
    ).toEqual([
      [ann, 'drop', 'all', 'action 1 (DROP) is for all recipients'],
      [bob, 'bounce', 'named', 'action 2 (BOUNCE) names this recipient'],
      [cyd, 'drop', 'all', 'action 1 (DROP) is for all recipients'],
    ])
  })

  it('applies the first action that names a recipient', () => {
    const twice = dispositions(
      { action: drop, recipients: [ann] },
      { action: bounce('x'), recipients: [ann, bob] },
      { action: { type: 'DEFAULT' }, allRecipients: true },
      { action: drop, allRecipients: true },
    )
    expect(twice.map(([, disposition]) => disposition)).toEqual(['drop', 'bounce', 'deliver'])
  })

  it.each([
    ['BYPASS_SPAM_CHECK', 'deliver'],
    ['MOVE_TO_JUNK', 'deliver'],
    ['DEFAULT', 'deliver'],
    ['DROP', 'drop'],
    ['BOUNCE', 'bounce'],
  ] as const)('gives the action %s the disposition %s', (type, disposition) => {
    const [verdict] = recipientVerdicts(
      { actions: [{ action: { type }, allRecipients: true }] },
      event,
      fallback,
    ).recipients
    expect(verdict).toMatchObject({ disposition, action: { type } })
  })

  it('applies the fallback to recipients that no action covers', () => {
    const uncovered = {
      disposition: 'fallback',
      action: fallback,
      reason: 'uncovered',
      why: 'no action is for this recipient',
    }
    for (const nobody of [
      {},
      { recipients: [] },
      { recipients: null, allRecipients: null },
      { allRecipients: false },
    ])
      expect(
        recipientVerdicts({ actions: [{ action: drop, ...nobody }] }, event, fallback).recipients,
      ).toEqual([ann, bob, cyd].map(address => ({ address, ...uncovered })))
  })

  it('applies the fallback instead of an action that is not among the first 10 unique actions', () => {
    const texts = Array.from({ length: 10 }, (_, i) => ({
      action: bounce(`${i}`),
      recipients: [] as string[],
    }))
    expect(
      dispositions(...texts, { action: drop, recipients: [ann] }, { action: bounce('9'), recipients: [bob] }),
    ).toEqual([
      [
        ann,
        'fallback',
        'overflow',
        'action 11 (DROP) names this recipient, but is not among the first 10 unique actions',
      ],
      [bob, 'bounce', 'named', 'action 12 (BOUNCE) names this recipient'],
      [cyd, 'fallback', 'uncovered', 'no action is for this recipient'],
    ])
    expect(
      dispositions(...texts, { action: drop, allRecipients: true }).map(([, disposition]) => disposition),
    ).toEqual(['fallback', 'fallback', 'fallback'])
  })

  it('counts actions with the same type and parameters only once', () => {
    const same = Array.from({ length: 30 }, (_, i) => ({
      action: bounce('x'),
      recipients: [`r${i}@office.example`],
    }))
    expect(dispositions(...same, { action: drop, allRecipients: true })[0]).toEqual([
      ann,
      'drop',
      'all',
      'action 31 (DROP) is for all recipients',
    ])
  })

  it('ignores the case of domains but not of local parts, and lists each recipient once', () => {
    const doubled = mailEvent({
      recipients: ['ann@OFFICE.example', 'ann@office.example', 'Ann@office.example'],
    })
    const { recipients } = recipientVerdicts(
      { actions: [{ action: drop, recipients: ['ann@Office.Example'] }] },
      doubled,
      fallback,
    )
    expect(recipients.map(({ address, disposition }) => [address, disposition])).toEqual([
      ['ann@OFFICE.example', 'drop'],
      ['Ann@office.example', 'fallback'],
    ])
  })

  it('includes recipients that the response names but the event does not list', () => {
    const { unlisted } = recipientVerdicts(
      { actions: [{ action: drop, recipients: ['eve@else.example', ann] }] },
      event,
      fallback,
    )
    expect(unlisted).toEqual([
      {
        address: 'eve@else.example',
        disposition: 'drop',
        action: drop,
        reason: 'named',
        why: 'action 1 (DROP) names this recipient',
      },
    ])
  })

  it('marks the recipients that an action adds to the mail', () => {
    const byDefault = { type: 'DEFAULT' as const }
    const { recipients, unlisted } = recipientVerdicts(
      {
        actions: [
          { action: byDefault, recipients: ['archive@office.example'] },
          { action: byDefault, allRecipients: true },
        ],
      },
      event,
      fallback,
    )
    expect(recipients.every(({ reason }) => reason === 'all')).toBe(true)
    expect(unlisted).toEqual([
      {
        address: 'archive@office.example',
        disposition: 'deliver',
        action: byDefault,
        reason: 'added',
        why: 'action 1 (DEFAULT) adds this recipient',
      },
    ])
  })

  it.each(['true', 'false'])('takes the text "%s" of allRecipients for the boolean', text => {
    const actions = [{ action: drop, allRecipients: text as never }]
    const { recipients } = recipientVerdicts({ actions }, event, fallback)
    expect(recipients.map(({ disposition }) => disposition === 'drop')).toEqual(
      recipients.map(() => text === 'true'),
    )
  })

  it('gives each recipient the action that a simple search finds, for any response', () => {
    const pairs = arbitraryMailEvent().chain(event =>
      fc.tuple(fc.constant(event), arbitraryMailResponse(event)),
    )
    fc.assert(
      fc.property(pairs, ([event, { actions }]) => {
        const unique = [...new Set(actions.map(({ action }) => actionKey(action)))].slice(0, 10)
        for (const { address, action } of recipientVerdicts({ actions }, event, fallback).recipients) {
          const namesIt = ({ recipients }: MailDecision) =>
            (recipients ?? []).some(other => addressKey(other) === addressKey(address))
          const chosen = actions.find(namesIt) ?? actions.find(({ allRecipients }) => allRecipients)
          const counts = chosen !== undefined && unique.includes(actionKey(chosen.action))
          expect(action).toBe(counts ? chosen.action : fallback)
        }
      }),
      { numRuns: 500 },
    )
  })
})
