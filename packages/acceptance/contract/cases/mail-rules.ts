import assert from 'node:assert/strict'
import { signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { mailFlow } from '@signalbox/mail-flow'
import { mailVerdict, responseTimeLimit, uniqueActionsLimit } from '@signalbox/mail-flow/contract'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { mailSetup, until } from '@signalbox/platform-mail/testing/mail-setup'
import { breaks, type ContractCase, keeps, type Sides } from '../contract-case.ts'
import {
  bob,
  concludes,
  decision,
  isRefused,
  letOut,
  outbound,
  response,
  statesAfter,
} from './mail-answers.ts'
import { recipientRules } from './mail-recipients.ts'

/** Returns the cases for the actions and for the verdict rules. */
export function mailRules(): readonly ContractCase[] {
  return [
    ...actionRules(),
    ...modeRules(),
    ...countRules(),
    ...recipientRules(),
    ...failureRules(),
    ...fallbackRules(),
  ]
}

const toBob = { recipients: [bob] }
const drop = response(decision('DROP'))
const dropped = concludes(drop, { [bob]: 'dropped' })

function actionRules(): readonly ContractCase[] {
  const wrongText = { bounceMessage: { text: 'No.' } }
  const junk = { junk: 'junk', inbox: 'inbox' }
  return [
    keeps(
      'action.BOUNCE',
      'without a text',
      concludes(response(decision('BOUNCE')), { [bob]: 'bounced' }, { fallback: 'DROP' }),
    ),
    keeps('action.BOUNCE', 'with a text', bounces('Left the company.')),
    breaks(
      'action.BOUNCE',
      'a text that is an object',
      isRefused(
        response(decision('BOUNCE', { allRecipients: true }, wrongText)),
        /\/actions\/0\/action\/parameters\/bounceMessage/,
      ),
    ),
    keeps('action.DROP', 'for everyone', dropped),
    keeps('action.DEFAULT', 'for everyone', concludes(response(decision('DEFAULT')), { [bob]: 'delivered' })),
    ...(['BOUNCE', 'DROP', 'DEFAULT'] as const).map(type =>
      breaks(
        `action.${type}`,
        `spelt ${type.toLowerCase()}`,
        isRefused(response(decision(type.toLowerCase())), /\/actions\/0\/action\/type/),
      ),
    ),
    keeps(
      'action.BYPASS_SPAM_CHECK',
      'of a mail with the mark of spam',
      liesIn('BYPASS_SPAM_CHECK', junk.inbox),
    ),
    keeps('action.MOVE_TO_JUNK', 'of a mail with the mark of spam', liesIn('MOVE_TO_JUNK', junk.junk)),
    ...(['BYPASS_SPAM_CHECK', 'MOVE_TO_JUNK'] as const).flatMap(type => {
      const outgoing = isRefused(response(decision(type)), /\/actions\/0\/action\/type/, outbound)
      return [
        breaks(`action.${type}`, 'for outbound mail', outgoing),
        keeps('verdict.inbound-only', `${type} for outbound mail`, outgoing),
        breaks(
          'verdict.inbound-only',
          `${type} for inbound mail`,
          concludes(response(decision(type)), { [bob]: 'delivered' }),
        ),
      ]
    }),
  ]
}

/** Returns checks that this action delivers a spam mail to this folder. */
function liesIn(type: string, folder: string): Sides {
  return {
    async function() {
      const event = mailEvent({ recipients: [bob] })
      const verdict = mailVerdict(JSON.stringify(await letOut(event, response(decision(type)))), event)
      assert.deepEqual(
        verdict.recipients.map(({ disposition, action }) => [disposition, action.type]),
        [['deliver', type]],
      )
    },
    async platform() {
      await using setup = await mailSetup(() => response(decision(type)))
      await setup.send({ raw: 'X-Spam-Flag: YES\r\nSubject: Offer\r\n\r\nHi!\r\n' })
      await setup.calm()
      assert.deepEqual(
        (await setup.inbox(bob)).map(mail => mail.folder),
        [folder],
      )
    },
  }
}

/** Returns checks that the message of a bounce reaches the sender. */
function bounces(bounceMessage: string): Sides {
  const answer = response(decision('BOUNCE', { allRecipients: true }, { bounceMessage }))
  return {
    function: async () => assert.deepEqual(await letOut(mailEvent({ recipients: [bob] }), answer), answer),
    async platform() {
      await using setup = await mailSetup(() => answer, { relay: 'keep' })
      await setup.send({ from: 'ann@far.example' })
      await setup.calm()
      const reports = await setup.inbox('ann@far.example')
      assert.deepEqual(
        reports.map(({ text }) => text.includes(bounceMessage)),
        [true],
      )
    },
  }
}

function modeRules(): readonly ContractCase[] {
  const ignored: Sides = {
    async function() {
      const asynchronous = signalbox(mailFlow(() => undefined, { mode: 'async' }))
      const event = mailEvent({ recipients: [bob] })
      assert.equal(await asynchronous(event), undefined)
      const verdict = mailVerdict(JSON.stringify(drop), event, { mode: 'async' })
      assert.deepEqual(
        verdict.recipients.map(({ disposition }) => disposition),
        ['deliver'],
      )
    },
    platform: async () =>
      assert.deepEqual(await statesAfter(drop, { mode: 'async' }), { [bob]: 'delivered' }),
  }
  return [
    keeps('verdict.synchronous', 'a mail that the function drops', dropped),
    breaks('verdict.synchronous', 'an asynchronous function that drops it', ignored),
    keeps('verdict.asynchronous', 'an asynchronous function that drops it', ignored),
    breaks('verdict.asynchronous', 'a synchronous function that drops it', dropped),
  ]
}

/** Returns `count` recipients, and a response that bounces each of them with a different message. */
function bouncesOf(count: number) {
  const to = Array.from({ length: count }, (_, number) => `${number}@office.example`)
  const actions = to.map((address, number) =>
    decision('BOUNCE', { recipients: [address] }, { bounceMessage: `No ${number}.` }),
  )
  return { to, answer: response(...actions) }
}

const dispositions = (to: readonly string[], states: readonly string[]) =>
  Object.fromEntries(to.map((address, position) => [address, states[position]!]))

function countRules(): readonly ContractCase[] {
  const ten = bouncesOf(uniqueActionsLimit)
  const tenBounce = concludes(ten.answer, dispositions(ten.to, Array(10).fill('bounced')), {
    to: ten.to,
    fallback: 'DROP',
  })
  const eleven = bouncesOf(uniqueActionsLimit + 1)
  const lastFallsBack: Sides = {
    function: () =>
      assert.rejects(letOut(mailEvent({ recipients: eleven.to }), eleven.answer), /10 unique actions/),
    platform: async () =>
      assert.deepEqual(
        await statesAfter(eleven.answer, { to: eleven.to, fallback: 'DROP' }),
        dispositions(eleven.to, [...Array(10).fill('bounced'), 'dropped']),
      ),
  }
  const same = eleven.to.map(address =>
    decision('BOUNCE', { recipients: [address] }, { bounceMessage: 'No.' }),
  )
  const allBounce = concludes(response(...same), dispositions(eleven.to, Array(11).fill('bounced')), {
    to: eleven.to,
    fallback: 'DROP',
  })
  return [
    keeps('verdict.ten-actions', 'ten texts', tenBounce),
    breaks('verdict.ten-actions', 'eleven texts', lastFallsBack),
    keeps('limits.uniqueActions', 'ten texts', tenBounce),
    breaks('limits.uniqueActions', 'eleven texts', lastFallsBack),
    keeps('verdict.unique-actions', 'eleven actions with one text', allBounce),
    breaks('verdict.unique-actions', 'eleven actions with a text each', lastFallsBack),
  ]
}

const fails = () => {
  throw new Error('broken')
}

function failureRules(): readonly ContractCase[] {
  const failing: readonly (readonly [string, unknown, RegExp])[] = [
    ['an error', fails, /broken/],
    ['a response without actions', {}, /\/actions/],
    ['text', 'DROP', /expected the builder, or a response such as/],
  ]
  const empty = isRefused(response(), /\/actions/)
  return [
    keeps('verdict.at-least-one-action', 'an empty list of actions', empty),
    breaks('verdict.at-least-one-action', 'one action', dropped),
    keeps(
      'verdict.misspelt-field',
      'allRecipient',
      isRefused(response(decision('DROP', { ...toBob, allRecipient: true })), /\/actions\/0\/allRecipient/),
    ),
    keeps(
      'verdict.misspelt-field',
      'allRecipients inside action',
      isRefused(
        { actions: [{ action: { type: 'DROP', allRecipients: true } }] },
        /\/actions\/0\/action\/allRecipients/,
      ),
    ),
    keeps(
      'verdict.misspelt-field',
      'default instead of allRecipients',
      isRefused(
        response({ action: { type: 'DROP' }, default: true }),
        /\/actions\/0\/default: expected allRecipients: true/,
      ),
    ),
    breaks(
      'verdict.misspelt-field',
      'another field',
      concludes({ ...drop, note: 'sorted' }, { [bob]: 'dropped' }),
    ),
    ...failing.map(([name, answer, why]) => keeps('verdict.failed-invocation', name, isRefused(answer, why))),
    // If a function with the plugin returns nothing, the mail is delivered to everyone.
    keeps('verdict.failed-invocation', 'nothing', {
      function: async () =>
        assert.deepEqual(await letOut(mailEvent(), undefined), response(decision('DEFAULT'))),
      platform: async () => assert.deepEqual(await statesAfter(undefined, {}), { [bob]: 'bounced' }),
    }),
    keeps('verdict.failed-invocation', 'errors until the retries are over', {
      function: () => assert.rejects(letOut(mailEvent(), fails), /broken/),
      async platform() {
        await using setup = await mailSetup(fails, { inbound: { fallback: 'DROP', timeout: 3 } })
        const id = await setup.send()
        await setup.pass(2)
        assert.deepEqual(await setup.recipientStates(id), { [bob]: 'undecided' })
        await setup.pass(1)
        assert.deepEqual(await setup.recipientStates(id), { [bob]: 'dropped' })
      },
    }),
    breaks('verdict.failed-invocation', 'a response', dropped),
    ...(['verdict.time-out', 'limits.responseTime'] as const).flatMap(row => [
      keeps(row, 'a second less than 15', answersAfter(responseTimeLimit - 1000, 'in time')),
      breaks(row, 'a second more than 15', answersAfter(responseTimeLimit + 1000, 'late')),
    ]),
  ]
}

function fallbackRules(): readonly ContractCase[] {
  const folders = { MOVE_TO_JUNK: 'junk', BYPASS_SPAM_CHECK: 'inbox', DEFAULT: 'junk' } as const
  return [
    ...(['MOVE_TO_JUNK', 'BYPASS_SPAM_CHECK', 'DEFAULT'] as const).map(fallback =>
      keeps('verdict.fallback-action', `${fallback} for inbound mail with the mark of spam`, {
        function() {
          const verdict = mailVerdict(undefined, mailEvent({ recipients: [bob] }), { fallback })
          assert.deepEqual(
            verdict.recipients.map(({ disposition, action }) => [disposition, action.type]),
            [['fallback', fallback]],
          )
        },
        async platform() {
          await using setup = await mailSetup(fails, { inbound: { fallback } })
          await setup.send({ raw: 'X-Spam-Flag: YES\r\nSubject: Offer\r\n\r\nHi!\r\n' })
          await setup.calm()
          assert.deepEqual(
            (await setup.inbox(bob)).map(({ folder }) => folder),
            [folders[fallback]],
          )
        },
      }),
    ),
    ...(['MOVE_TO_JUNK', 'BYPASS_SPAM_CHECK'] as const).map(fallback =>
      breaks('verdict.fallback-action', `${fallback} for outbound mail`, {
        function: isRefused(response(decision(fallback)), /\/actions\/0\/action\/type/, outbound).function,
        platform: () =>
          assert.rejects(mailSetup(fails, { outbound: { fallback } }), /\/mail\/rules\/1\/fallback/),
      }),
    ),
  ]
}

/**
 * Returns checks for a function that takes `ms` milliseconds to drop a mail. The mail rule allows two minutes for
 * retries.
 */
function answersAfter(ms: number, when: 'in time' | 'late'): Sides {
  return {
    async function() {
      const clock = manualClock()
      const decide = () => new Promise<never>(resolve => clock.after(ms, () => resolve(drop as never)))
      const handler = signalbox(mailFlow(decide, { clock }), { clock })
      const decision = handler(mailEvent()).then(
        () => 'in time',
        error => (error.name === 'DecisionTimeoutError' ? 'late' : String(error)),
      )
      await clock.advance(ms)
      assert.equal(await decision, when)
    },
    async platform() {
      await using setup = await mailSetup(
        () => new Promise(resolve => setup.clock.after(ms, () => resolve(drop))),
        { inbound: { timeout: 2 } },
      )
      const id = await setup.send()
      await until(() => setup.events.length === 1)
      for (let second = 0; second < ms; second += 1000) await setup.clock.advance(1000)
      await setup.calm()
      assert.deepEqual(await setup.recipientStates(id), { [bob]: when === 'late' ? 'undecided' : 'dropped' })
    },
  }
}
