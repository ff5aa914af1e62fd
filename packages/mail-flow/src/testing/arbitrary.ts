import fc from 'fast-check'
import type { MailEvent } from '../contract/event.ts'
import { resultWords } from '../contract/facts.ts'
import { subjectLimit } from '../contract/limits.ts'
import type { MailAction, MailResponse } from '../contract/response.ts'

/**
 * Generates mail addresses: plain, quoted, in any script, with domains in upper and lower case.
 * @example
 * ```ts
 * import { isAddress } from '@signalbox/mail-flow/contract'
 * import { arbitraryAddress } from '@signalbox/mail-flow/testing/arbitrary'
 * import fc from 'fast-check'
 *
 * fc.assert(fc.property(arbitraryAddress(), isAddress))
 * ```
 */
export function arbitraryAddress(): fc.Arbitrary<string> {
  const letter = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...'abcxyzABC019.+-_=') },
    fc.constantFrom(...'äßžЖ中ñ한😀'),
  )
  const plain = fc.string({ unit: letter, minLength: 1, maxLength: 12 })
  const quoted = fc.string({ unit: fc.constantFrom(...'ab @(,;é'), maxLength: 6 }).map(text => `"${text}"`)
  const domain = fc.constantFrom(
    'example.com',
    'EXAMPLE.com',
    'mail.example.org',
    'bücher.example',
    '[192.0.2.1]',
  )
  return fc
    .tuple(fc.oneof({ weight: 6, arbitrary: plain }, quoted), domain)
    .map(([local, at]) => `${local}@${at}`)
}

/**
 * Generates strings of at most `most` code points, including lone surrogates and all scripts. Most strings are short.
 * @example
 * ```ts
 * import { arbitraryText } from '@signalbox/mail-flow/testing/arbitrary'
 * import fc from 'fast-check'
 *
 * fc.assert(fc.property(arbitraryText(100), text => [...text].length <= 100))
 * ```
 */
export function arbitraryText(most: number): fc.Arbitrary<string> {
  const plain = fc.integer({ min: 0, max: 0x7f })
  const any = fc.integer({ min: 0, max: 0x10ffff })
  const character = fc.oneof(plain, any).map(point => String.fromCodePoint(point))
  const short = fc.string({ unit: character, maxLength: most })
  return fc.oneof(
    { weight: 9, arbitrary: short },
    fc.string({ unit: character, maxLength: most, size: 'max' }),
  )
}

/** Options of `arbitraryMailEvent`. */
export interface ArbitraryMailEventOptions {
  /** The maximum number of recipients. Default: 8. */
  readonly maxRecipients?: number
}

/**
 * Generates valid mail-flow events in both directions, with duplicate recipients, empty senders and unknown fields.
 * @example
 * ```ts
 * import { MailEvent } from '@signalbox/mail-flow/contract'
 * import { arbitraryMailEvent } from '@signalbox/mail-flow/testing/arbitrary'
 * import fc from 'fast-check'
 *
 * fc.assert(fc.property(arbitraryMailEvent({ maxRecipients: 3 }), event => MailEvent.is(event)))
 * ```
 */
export function arbitraryMailEvent({
  maxRecipients = 8,
}: ArbitraryMailEventOptions = {}): fc.Arbitrary<MailEvent> {
  const id = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 40 })
  const holder = (address: fc.Arbitrary<string>) => fc.record({ address })
  const result = fc.record(
    {
      result: fc.constantFrom(...resultWords),
      domain: fc.option(fc.domain()),
      policy: fc.option(fc.string()),
    },
    { requiredKeys: ['result'] },
  )
  const text = fc.option(fc.string({ maxLength: 20 }))
  const facts = fc.record(
    {
      client: fc.option(
        fc.record({ address: text, name: text, helo: text, tls: text, user: text }, { requiredKeys: [] }),
      ),
      authentication: fc.option(
        fc.record(
          {
            spf: fc.option(result),
            dkim: fc.option(fc.array(result, { maxLength: 3 })),
            dmarc: fc.option(result),
          },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  )
  const event = fc.record({
    summaryVersion: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') })
      .map(date => date.toISOString().slice(0, 10)),
    envelope: fc.record({
      mailFrom: holder(fc.oneof(arbitraryAddress(), fc.constant(''))),
      recipients: fc.array(holder(arbitraryAddress()), { maxLength: maxRecipients, size: 'max' }),
    }),
    sender: holder(fc.oneof(arbitraryAddress(), fc.constant(''))),
    subject: arbitraryText(subjectLimit),
    messageId: fc.uuid(),
    invocationId: id,
    flowDirection: fc.constantFrom('INBOUND' as const, 'OUTBOUND' as const),
    truncated: fc.boolean(),
  })
  const extra = fc.dictionary(
    fc.string().map(key => `x-${key}`),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 2 },
  )
  return fc
    .tuple(event, facts, extra)
    .map(([known, optional, unknown]) => ({ ...unknown, ...optional, ...known }))
}

/**
 * Generates valid actions for mail of this direction.
 * @example
 * ```ts
 * import { MailAction } from '@signalbox/mail-flow/contract'
 * import { arbitraryMailAction } from '@signalbox/mail-flow/testing/arbitrary'
 * import fc from 'fast-check'
 *
 * fc.assert(fc.property(arbitraryMailAction('INBOUND'), action => MailAction.is(action)))
 * ```
 */
export function arbitraryMailAction(direction: MailEvent['flowDirection']): fc.Arbitrary<MailAction> {
  const bounce = fc.record({ bounceMessage: fc.option(arbitraryText(20)) }, { requiredKeys: [] })
  const actions: fc.Arbitrary<MailAction>[] = [
    fc.record({ type: fc.constant('BOUNCE' as const), parameters: fc.option(bounce) }),
    fc.record({ type: fc.constant('BOUNCE' as const) }),
    fc.record({ type: fc.constantFrom('DROP' as const, 'DEFAULT' as const) }),
  ]
  if (direction === 'INBOUND')
    actions.push(
      fc.record({ type: fc.constant('BYPASS_SPAM_CHECK' as const) }),
      fc.record({ type: fc.constant('MOVE_TO_JUNK' as const) }),
    )
  return fc.oneof(...actions)
}

/**
 * Generates valid responses to an event: each has at least one action, for recipients of the mail, for all recipients,
 * for both or for none.
 * @example
 * ```ts
 * import { MailResponse } from '@signalbox/mail-flow/contract'
 * import { mailEvent } from '@signalbox/mail-flow/testing'
 * import { arbitraryMailResponse } from '@signalbox/mail-flow/testing/arbitrary'
 * import fc from 'fast-check'
 *
 * fc.assert(fc.property(arbitraryMailResponse(mailEvent()), response => MailResponse.is(response)))
 * ```
 */
export function arbitraryMailResponse(event: MailEvent): fc.Arbitrary<MailResponse> {
  const addresses = event.envelope.recipients.map(({ address }) => address)
  const recipients = addresses.length === 0 ? fc.constant<string[]>([]) : fc.subarray(addresses)
  const decision = fc.record(
    {
      action: arbitraryMailAction(event.flowDirection),
      recipients: fc.option(recipients),
      allRecipients: fc.option(fc.boolean()),
    },
    { requiredKeys: ['action'] },
  )
  return fc.record({ actions: fc.array(decision, { minLength: 1, maxLength: 14 }) })
}
