import assert from 'node:assert/strict'
import {
  eventSizeLimit,
  firstRetryDelay,
  outboundRecipientsLimit,
  responseSizeLimit,
  retrySchedule,
  ruleTimeOutLimit,
  subjectLimit,
  truncateEvent,
} from '@signalbox/mail-flow/contract'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { createPlatform } from '@signalbox/platform'
import { mailSetup } from '@signalbox/platform-mail/testing/mail-setup'
import { breaks, type ContractCase, keeps, type Sides } from '../contract-case.ts'
import { bob, concludes, decision, isRefused, letOut, response } from './mail-answers.ts'

/** Returns the cases for the limits. */
export function mailLimits(): readonly ContractCase[] {
  return [...eventLimits(), ...responseLimits(), ...timeLimits()]
}

function eventLimits(): readonly ContractCase[] {
  return [
    keeps('limits.eventSize', `an event of ${eventSizeLimit} bytes`, {
      function: () => {
        const event = eventOfSize(eventSizeLimit)
        assert.equal(truncateEvent(event), event)
      },
      platform: async () => assert.deepEqual(await inboundEvent(1000), { listed: 1000, truncated: false }),
    }),
    // Truncation changes `false` to `true`, which is one byte shorter.
    breaks('limits.eventSize', 'two bytes more', {
      function() {
        const cut = truncateEvent(eventOfSize(eventSizeLimit + 2))
        assert.deepEqual([cut.truncated, cut.envelope.recipients.length], [true, 1])
      },
      async platform() {
        const { listed, truncated } = await inboundEvent(1200)
        assert.ok(truncated && listed < 1200)
      },
    }),
    keeps('limits.subject', `${subjectLimit} characters`, subjectOf(subjectLimit, false)),
    breaks('limits.subject', `${subjectLimit + 1} characters`, subjectOf(subjectLimit + 1, true)),
    keeps('limits.outboundRecipients', `${outboundRecipientsLimit} recipients`, recipientsOf(500)),
    breaks('limits.outboundRecipients', `${outboundRecipientsLimit + 1} recipients`, recipientsOf(501)),
  ]
}

/** Returns an event of this size in bytes, with two recipients. */
function eventOfSize(bytes: number) {
  const event = (length: number) => mailEvent({ recipients: [bob, 'x'.repeat(length)] })
  return event(bytes - Buffer.byteLength(JSON.stringify(event(0))))
}

const longDomain = `${'y'.repeat(60)}.example`

/**
 * Sends an inbound mail to this number of recipients, whose addresses are about 120 bytes long. Returns how many of
 * them the event lists, and whether the event was truncated.
 */
async function inboundEvent(count: number) {
  await using setup = await mailSetup(() => response(decision('DROP')), {
    domains: { [longDomain]: { to: 'mailboxes' } },
    maxRecipients: 1200,
  })
  await setup.send({
    to: Array.from({ length: count }, (_, number) => `${number}.${'x'.repeat(30)}@${longDomain}`),
  })
  await setup.calm()
  const [event] = setup.events
  assert.ok(Buffer.byteLength(JSON.stringify(event)) <= eventSizeLimit)
  return { listed: event!.envelope.recipients.length, truncated: event!.truncated }
}

function subjectOf(length: number, isCut: boolean): Sides {
  const subject = '🙂'.repeat(length)
  return {
    function() {
      const event = truncateEvent(mailEvent({ subject }))
      assert.deepEqual([event.subject, event.truncated], ['🙂'.repeat(256), false])
      assert.equal(event.subject !== subject, isCut)
    },
    async platform() {
      await using setup = await mailSetup(() => response(decision('DROP')))
      await setup.send({ subject: `=?utf-8?b?${Buffer.from(subject).toString('base64')}?=` })
      await setup.calm()
      const [event] = setup.events
      assert.deepEqual([event!.subject, event!.truncated], ['🙂'.repeat(256), false])
      assert.equal(event!.subject !== subject, isCut)
    },
  }
}

/** Returns checks for a response that lists this number of recipients of an outbound mail. */
function recipientsOf(count: number): Sides {
  const to = Array.from({ length: count }, (_, number) => `${number}@far.example`)
  const answer = response(decision('DROP', { recipients: to }))
  const isTooMany = count > outboundRecipientsLimit
  return {
    async function() {
      const lettingOut = letOut(mailEvent({ recipients: to, outbound: true }), answer)
      if (isTooMany) await assert.rejects(lettingOut, /at most 500 recipients/)
      else assert.deepEqual(await lettingOut, answer)
    },
    async platform() {
      await using setup = await mailSetup(() => response(decision('DROP')), { outbound: {}, relay: 'keep' })
      await setup.send({ to })
      await setup.calm()
      assert.deepEqual(
        setup.events.map(({ envelope }) => envelope.recipients.length),
        [Math.min(count, outboundRecipientsLimit)],
      )
    },
  }
}

function responseLimits(): readonly ContractCase[] {
  const ofSize = (bytes: number) => {
    const answer = (length: number) =>
      response(decision('BOUNCE', { allRecipients: true }, { bounceMessage: 'x'.repeat(length) }))
    return answer(bytes - JSON.stringify(answer(0)).length)
  }
  return [
    keeps(
      'limits.responseSize',
      `${responseSizeLimit} bytes`,
      concludes(ofSize(responseSizeLimit), { [bob]: 'bounced' }, { fallback: 'DROP' }),
    ),
    breaks('limits.responseSize', 'a byte more', {
      function: () =>
        assert.rejects(letOut(mailEvent(), ofSize(responseSizeLimit + 1)), /1 above the 262144/),
      platform: isRefused({ ...ofSize(responseSizeLimit - 1000), filler: 'x'.repeat(2000) }, /above/)
        .platform,
    }),
  ]
}

function timeLimits(): readonly ContractCase[] {
  const timeOut = (minutes: number) =>
    createPlatform({
      functions: { sort: { handler: () => {} } },
      mail: {
        port: 0,
        domains: { 'office.example': { to: 'mailboxes' } },
        rules: [{ direction: 'INBOUND', function: 'sort', timeout: minutes }],
      },
      dataDir: ':memory:',
    })
  return [
    ...[0, ruleTimeOutLimit].map(minutes =>
      keeps('limits.ruleTimeOut', `${minutes} minutes`, {
        function: () => assert.equal(retrySchedule(minutes).fallbackAt, minutes * 60_000),
        platform: () => void timeOut(minutes),
      }),
    ),
    ...[-1, ruleTimeOutLimit + 1].map(minutes =>
      breaks('limits.ruleTimeOut', `${minutes} minutes`, {
        function: () => assert.throws(() => retrySchedule(minutes), RangeError),
        platform: () => assert.throws(() => timeOut(minutes), /timeout/),
      }),
    ),
    keeps('limits.firstRetry', 'a minute after the failure', {
      function: () => assert.deepEqual(retrySchedule(3).retries, [60_000, 180_000]),
      platform: async () => assert.equal(await callsAfter(firstRetryDelay), 2),
    }),
    breaks('limits.firstRetry', 'a second before it', {
      function: () => assert.deepEqual(retrySchedule(firstRetryDelay / 60_000 - 0.1).retries, []),
      platform: async () => assert.equal(await callsAfter(firstRetryDelay - 1000), 1),
    }),
  ]
}

/** Returns how many times the platform calls a failing function within `ms` milliseconds. */
async function callsAfter(ms: number): Promise<number> {
  await using setup = await mailSetup(
    () => {
      throw new Error('broken')
    },
    { inbound: { timeout: 5 } },
  )
  await setup.send()
  await setup.calm()
  await setup.clock.advance(ms)
  await setup.calm()
  return setup.events.length
}
