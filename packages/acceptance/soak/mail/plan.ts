import type { MailEvent, MailResponse } from '@signalbox/mail-flow/contract'

/** The expected outcome of a mail for one recipient: a folder of the mailbox, a report to the sender, or nothing. */
export type Ending = 'inbox' | 'junk' | 'report' | 'nowhere'

/** One mail of a soak. */
export interface Plan {
  readonly number: number
  /** The sender. It is different for each mail, and empty for the null sender. */
  readonly from: string
  readonly subject: string
  readonly endings: ReadonlyMap<string, Ending>
}

/** For each kind of mail, the outcomes that are decided for its first, second and third recipient. */
const kinds: { readonly [kind: string]: readonly [Ending, Ending?, Ending?] } = {
  deliver: ['inbox'],
  several: ['inbox', 'inbox', 'inbox'],
  junk: ['junk'],
  drop: ['nowhere', 'nowhere'],
  bounce: ['report', 'report'],
  mixed: ['inbox', 'nowhere', 'report'],
  retry: ['inbox', 'inbox'],
  hopeless: ['report'],
  // No report is sent, because these mails have the null sender.
  silent: ['nowhere', 'inbox'],
  // Mails of this kind also have recipients in another domain. The answer for inbound mail does not affect them.
  abroad: ['nowhere', 'inbox', 'inbox'],
}

/** Returns the plan of the mail with the given number. The kinds alternate. */
export function planOf(number: number): Plan {
  const names = Object.keys(kinds)
  const kind = names[number % names.length]!
  const endings = kinds[kind]!.map((ending, at): [string, Ending] => {
    const domain = kind === 'abroad' && at > 0 ? 'far.example' : 'office.example'
    return [`r${number}-${at}@${domain}`, ending!]
  })
  return {
    number,
    from: kind === 'silent' ? '' : `s${number}@partner.example`,
    subject: `soak ${number} ${kind}`,
    endings: new Map(endings),
  }
}

/** Reads the number and the kind of a mail from its subject. */
export function readSubject(subject: string): { readonly number: number; readonly kind: string } | undefined {
  const [, number, kind] = /^soak (\d+) (\w+)$/.exec(subject) ?? []
  return number === undefined ? undefined : { number: Number(number), kind: kind! }
}

const words = (number: number) => `Not this one: ${number}.`

/**
 * Returns the function's answer, which depends only on the plan. The function always fails for a hopeless mail,
 * and fails for a mail with retries until it has been `seen`.
 */
export function answerTo({ subject, envelope }: MailEvent, seen: boolean): unknown {
  const { number, kind } = readSubject(subject)!
  if (kind === 'hopeless') throw new Error('There is no hope.')
  if (kind === 'retry' && !seen) return failures[Math.floor(number / 10) % failures.length]!()
  const { endings } = planOf(number)
  const actions = envelope.recipients.map(({ address }): MailResponse['actions'][number] => {
    const recipients = [address]
    if (kind === 'silent' && endings.get(address) === 'nowhere')
      return { action: { type: 'BOUNCE', parameters: { bounceMessage: words(number) } }, recipients }
    switch (endings.get(address)) {
      case 'report':
        return { action: { type: 'BOUNCE', parameters: { bounceMessage: words(number) } }, recipients }
      case 'junk':
        return { action: { type: 'MOVE_TO_JUNK' }, recipients }
      case 'nowhere':
        return { action: { type: 'DROP' }, recipients }
      default:
        return { action: { type: 'DEFAULT' }, recipients }
    }
  })
  return { actions }
}

/** The kinds of failures: an error, an invalid answer, and no answer in time. */
const failures: readonly (() => unknown)[] = [
  () => {
    throw new Error('Not at the first time.')
  },
  () => ({ actions: 'later' }),
  () => new Promise(() => {}),
]
