import assert from 'node:assert/strict'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { mailSetup } from '@signalbox/platform-mail/testing/mail-setup'
import { breaks, type ContractCase, keeps, type Sides } from '../contract-case.ts'
import {
  bob,
  carol,
  concludes,
  decision,
  isRefused,
  letOut,
  outbound,
  response,
  statesAfter,
} from './mail-answers.ts'

const toBob = { recipients: [bob] }

/** Returns checks that inbound mail is not given to these recipients, whose domains only the platform knows. */
export function isRefusedByThePlatform(recipients: readonly string[]): Sides {
  const answer = response(decision('DEFAULT', { recipients }), decision('DROP'))
  const given = (state: string) => ({
    [bob]: 'dropped',
    ...Object.fromEntries(recipients.map(address => [address, state])),
  })
  return {
    function: concludes(answer, given('delivered')).function,
    platform: async () => assert.deepEqual(await statesAfter(answer, {}), given('failed')),
  }
}

/** Returns the cases for the recipients of actions. */
export function recipientRules(): readonly ContractCase[] {
  const both = { to: [bob, carol] }
  const first = (...types: readonly string[]) => response(...types.map(type => decision(type, toBob)))
  const unlisted = response(decision('DROP', { recipients: ['eve@far.example'] }))
  return [
    keeps(
      'verdict.first-action',
      'DROP before DEFAULT',
      concludes(first('DROP', 'DEFAULT'), { [bob]: 'dropped' }),
    ),
    breaks(
      'verdict.first-action',
      'DEFAULT before DROP',
      concludes(first('DEFAULT', 'DROP'), { [bob]: 'delivered' }),
    ),
    keeps(
      'verdict.first-action',
      'DROP for all before DEFAULT for one',
      concludes(
        response(decision('DROP'), decision('DEFAULT', toBob)),
        { [bob]: 'delivered', [carol]: 'dropped' },
        both,
      ),
    ),
    keeps(
      'verdict.uncovered-recipient',
      'an action for one of two',
      concludes(response(decision('DROP', toBob)), { [bob]: 'dropped', [carol]: 'bounced' }, both),
    ),
    breaks(
      'verdict.uncovered-recipient',
      'an action for both',
      concludes(
        response(decision('DROP', { recipients: [bob, carol] })),
        { [bob]: 'dropped', [carol]: 'dropped' },
        both,
      ),
    ),
    ...[{}, { recipients: [] }, { allRecipients: false }].map(whom =>
      keeps(
        'verdict.no-recipients',
        `DROP with ${JSON.stringify(whom)}`,
        concludes(response(decision('DROP', whom)), { [bob]: 'bounced' }),
      ),
    ),
    breaks('verdict.no-recipients', 'DROP for a recipient', concludes(first('DROP'), { [bob]: 'dropped' })),
    keeps(
      'verdict.added-recipient',
      'another recipient of inbound mail, in a domain of the platform',
      concludes(response(decision('DEFAULT', { recipients: [carol] }), decision('DROP')), {
        [bob]: 'dropped',
        [carol]: 'delivered',
      }),
    ),
    keeps(
      'verdict.added-recipient',
      'another recipient of outbound mail, in another domain',
      concludes(
        response(decision('DEFAULT', { recipients: ['eve@other.example'] }), decision('DEFAULT')),
        { [outbound.to[0]!]: 'delivered', 'eve@other.example': 'delivered' },
        outbound,
      ),
    ),
    breaks(
      'verdict.added-recipient',
      'another recipient of inbound mail, in another domain',
      isRefusedByThePlatform(['eve@far.example']),
    ),
    keeps(
      'verdict.text-of-a-boolean',
      'DROP for allRecipients "true"',
      concludes(response(decision('DROP', { allRecipients: 'true' })), { [bob]: 'dropped' }),
    ),
    breaks(
      'verdict.text-of-a-boolean',
      'DROP for allRecipients "false"',
      concludes(response(decision('DROP', { allRecipients: 'false' })), { [bob]: 'bounced' }),
    ),
    keeps(
      'verdict.unknown-recipient',
      'a recipient of the outbound mail',
      concludes(
        response(decision('DROP', { recipients: outbound.to })),
        { [outbound.to[0]!]: 'dropped' },
        outbound,
      ),
    ),
    keeps('verdict.unknown-recipient', 'another recipient, of a truncated event', {
      function: async () =>
        assert.deepEqual(
          await letOut(mailEvent({ recipients: outbound.to, outbound: true, truncated: true }), unlisted),
          unlisted,
        ),
      platform: async () => assert.deepEqual(await truncatedOutbound(unlisted), ['bounced']),
    }),
    breaks(
      'verdict.unknown-recipient',
      'another recipient',
      isRefused(unlisted, /\/actions\/0\/recipients\/0/, outbound),
    ),
  ]
}

/** Returns the final states of an outbound mail whose author is so long that its event was truncated. */
async function truncatedOutbound(answer: object): Promise<readonly string[]> {
  await using setup = await mailSetup(
    () => ({ actions: [...(answer as { actions: object[] }).actions, decision('BOUNCE')] }),
    {
      outbound: { fallback: 'DROP' },
      relay: 'keep',
    },
  )
  const raw = `From: ${'a'.repeat(320)}@far.example\r\nSubject: x\r\n\r\nHi!\r\n`
  const id = await setup.send({ to: outbound.to, raw })
  await setup.calm()
  return Object.values(await setup.recipientStates(id))
}
