import { createHash } from 'node:crypto'
import { addressKey } from '@signalbox/mail-flow/contract'
import type { OfferedMail } from '../api/decision.ts'
import type { MailSettings, PatternRule } from '../config/mail-settings.ts'
import { matchingRule } from '../matching-rule.ts'
import { mailIdentity } from '../message/mail-identity.ts'

/** The recipients of an offered mail on which one rule decides before the reply. */
export interface OfferedGroup {
  /** Undefined for the recipients on which no rule decides before the reply. */
  readonly rule: PatternRule | undefined
  readonly recipients: readonly string[]
  /** Identifies the sender, the Message-ID, the recipients, the rule, and whether the function can change the mail. */
  readonly key: string
  /** Identifies the content of the mail. */
  readonly content: string
  /** The reason why the function of the rule cannot change the mail, as a sentence. */
  readonly frozen: string | undefined
}

const oneContent =
  'The rule is for some of the recipients only, and the mail server that asked has one content for all of them.'

/**
 * Divides the recipients of a mail by the rules that decide before the reply. Returns no groups for a mail without such a
 * rule.
 */
export function offeredGroups(
  {
    from,
    recipients,
    raw,
    sent = raw,
    everyRule = false,
    hasOneContent = false,
    directionOf,
    ...mail
  }: OfferedMail,
  settings: Pick<MailSettings, 'domains' | 'rules'>,
): readonly OfferedGroup[] {
  const byRule = new Map<PatternRule | undefined, string[]>()
  for (const address of recipients) {
    const rule = matchingRule(from, address, settings, directionOf?.(address))
    const isEarly = rule?.mode === 'sync' && (everyRule || rule.decide === 'before')
    const key = isEarly ? rule : undefined
    byRule.set(key, [...(byRule.get(key) ?? []), address])
  }
  if (byRule.size === 1 && byRule.has(undefined)) return []
  const frozen = mail.frozen ?? (hasOneContent && byRule.size > 1 ? oneContent : undefined)
  const { messageId, content } = mailIdentity(sent)
  return Array.from(byRule, ([rule, addresses]) => {
    const parts = [
      ...[addressKey(from), messageId === '' ? content : messageId],
      ...[rule?.functionName ?? '', rule?.direction ?? '', ...addresses.map(addressKey).sort()],
      // A decision with a change is of no use where the mail cannot be changed, and the reverse.
      ...(frozen === undefined ? [] : [true]),
    ]
    const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
    return { rule, recipients: addresses, key, content, frozen }
  })
}

/** Returns the id of the invocation for a group, which is the same whenever the mail is offered. */
export function invocationIdOf({ key, content }: OfferedGroup): string {
  const bytes = createHash('sha256').update(`${key} ${content}`).digest().subarray(0, 16)
  // A UUID of version 8 has bits of its maker's choice (RFC 9562, 5.8).
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
