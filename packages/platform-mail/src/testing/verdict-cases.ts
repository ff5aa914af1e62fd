import type { MailEvent } from '@signalbox/mail-flow/contract'
import type { MailConfig, MailRuleConfig } from '../config/mail-config.ts'

/** What a door says about one recipient, and where the mail is afterwards. */
export interface Said {
  /** The reply: its code, and for a refusal its text. */
  readonly reply: string
  /** The folder of the recipient that has the mail. Without it, the mail is in no folder. */
  readonly folder?: 'inbox' | 'junk'
}

export type Everyone = { readonly [address: string]: Said }

/** A decision of a function, and what each door should make of it. */
export interface VerdictCase {
  readonly name: string
  readonly from?: string
  readonly to: readonly string[]
  readonly utf8?: boolean
  readonly rule?: Omit<MailRuleConfig, 'direction' | 'function' | 'decide'>
  readonly mail?: Pick<MailConfig, 'mixed' | 'domains'>
  readonly answer: (event: MailEvent) => unknown
  /** What a door with a reply for each recipient says. */
  readonly exact: Everyone
  /** What a door with one reply for all recipients says, if it cannot say `exact`. */
  readonly oneReply?: Everyone
  /** The number of reports to the sender by a door with one reply. Default 0. */
  readonly reports?: number
  /** How often the mail is offered. Only the last replies count. Default 1. */
  readonly times?: number
  /** The number of invocations. Default 1. */
  readonly invocations?: number
  /** Folders of recipients that the function adds. */
  readonly added?: { readonly [address: string]: 'inbox' | 'junk' }
}

/** The secret of the listener for hooks. */
export const hooksSecret = 'secret-of-the-mail-servers'

export const [bob, carol, dora] = [
  'bob@office.example',
  'carol@office.example',
  'dora@office.example',
] as const
const dörte = 'dörte@office.example'

const toAll = (type: string, bounceMessage?: string) => action(type, { allRecipients: true }, bounceMessage)
const to = (address: string, type: string, bounceMessage?: string) =>
  action(type, { recipients: [address] }, bounceMessage)
function action(type: string, more: object, bounceMessage?: string) {
  return { action: { type, ...(bounceMessage !== undefined && { parameters: { bounceMessage } }) }, ...more }
}
const answers =
  (...actions: readonly object[]) =>
  () => ({ actions })
const broken = () => {
  throw new Error('broken')
}

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ')

const accepted: Said = { reply: '250' }
const inbox: Said = { reply: '250', folder: 'inbox' }
const later: Said = { reply: '451 4.3.0 The mail cannot be checked now, try again later' }
const refused = (text: string): Said => ({ reply: `550 ${text}` })
const all = (addresses: readonly string[], said: Said): Everyone =>
  Object.fromEntries(addresses.map(address => [address, said]))

const mixedAnswer = answers(to(bob, 'BOUNCE', 'Left in May'), to(carol, 'DROP'), toAll('MOVE_TO_JUNK'))
const mixedExact: Everyone = {
  [bob]: refused('5.7.1 Left in May'),
  [carol]: accepted,
  [dora]: { reply: '250', folder: 'junk' },
}
const refusedForAll = (lines: string): Said =>
  refused(
    `5.7.1 The mail was not delivered to anyone, because it is refused for some recipients:\n5.7.1 ${lines}`,
  )

/** What functions decide, and what doors make of it. The mail is offered to a rule that decides before the reply. */
export const verdictCases: readonly VerdictCase[] = [
  { name: 'DEFAULT', to: [bob, carol], answer: answers(toAll('DEFAULT')), exact: all([bob, carol], inbox) },
  {
    name: 'BYPASS_SPAM_CHECK',
    to: [bob],
    answer: answers(toAll('BYPASS_SPAM_CHECK')),
    exact: { [bob]: inbox },
  },
  {
    name: 'MOVE_TO_JUNK',
    to: [bob],
    answer: answers(toAll('MOVE_TO_JUNK')),
    exact: { [bob]: { reply: '250', folder: 'junk' } },
  },
  { name: 'DROP', to: [bob, carol], answer: answers(toAll('DROP')), exact: all([bob, carol], accepted) },
  {
    name: 'BOUNCE with a text',
    to: [bob, carol],
    answer: answers(toAll('BOUNCE', 'Left the company')),
    exact: all([bob, carol], refused('5.7.1 Left the company')),
  },
  {
    name: 'BOUNCE without a text',
    to: [bob],
    answer: answers(toAll('BOUNCE')),
    exact: { [bob]: refused('5.7.1 The mail was refused') },
  },
  {
    name: 'BOUNCE with several lines and characters that a reply cannot have',
    to: [bob],
    answer: answers(toAll('BOUNCE', 'Für Grüße:\r\n250 OK\0\x1b[2J\n\n  see  π ')),
    exact: { [bob]: refused('5.7.1 Fur Gru?e:\n5.7.1 250 OK[2J\n5.7.1 see ?') },
  },
  {
    name: 'BOUNCE in any script, for a client that used SMTPUTF8',
    utf8: true,
    from: 'änn@far.example',
    to: [dörte],
    answer: answers(toAll('BOUNCE', 'Nicht für Dörte π')),
    exact: { [dörte]: refused('5.7.1 Nicht für Dörte π') },
  },
  {
    name: 'BOUNCE with a very long text',
    to: [bob],
    answer: answers(toAll('BOUNCE', `${'x'.repeat(450)} ${words(20_000)}`)),
    exact: {
      [bob]: refused(
        [
          ...['x'.repeat(400), `${'x'.repeat(50)} ${words(70)}`],
          ...[words(80), words(80), words(79), 'word...'],
        ]
          .map(line => `5.7.1 ${line}`)
          .join('\n'),
      ),
    },
  },
  {
    name: 'BOUNCE with a text for each recipient',
    to: [bob, carol],
    answer: answers(to(bob, 'BOUNCE', 'No Bob'), to(carol, 'BOUNCE', 'No Carol')),
    exact: { [bob]: refused('5.7.1 No Bob'), [carol]: refused('5.7.1 No Carol') },
    oneReply: all([bob, carol], refused(`5.7.1 ${bob}: No Bob\n5.7.1 ${carol}: No Carol`)),
  },
  {
    name: 'BOUNCE for the null sender',
    from: '',
    to: [bob],
    answer: answers(toAll('BOUNCE', 'No thanks')),
    exact: { [bob]: refused('5.7.1 No thanks') },
  },
  {
    name: 'DEFAULT, DROP and MOVE_TO_JUNK in one mail',
    to: [bob, carol, dora],
    answer: answers(to(bob, 'DEFAULT'), to(carol, 'DROP'), toAll('MOVE_TO_JUNK')),
    exact: { [bob]: inbox, [carol]: accepted, [dora]: { reply: '250', folder: 'junk' } },
  },
  {
    name: 'BOUNCE, DROP and MOVE_TO_JUNK in one mail',
    to: [bob, carol, dora],
    answer: mixedAnswer,
    exact: mixedExact,
    oneReply: all([bob, carol, dora], refusedForAll(`${bob}: Left in May`)),
  },
  {
    name: "BOUNCE, DROP and MOVE_TO_JUNK in one mail with mixed: 'report'",
    to: [bob, carol, dora],
    mail: { mixed: 'report' },
    answer: mixedAnswer,
    exact: mixedExact,
    oneReply: { [bob]: accepted, [carol]: accepted, [dora]: { reply: '250', folder: 'junk' } },
    reports: 1,
  },
  {
    name: "BOUNCE and DEFAULT for the null sender with mixed: 'report'",
    from: '',
    to: [bob, carol],
    mail: { mixed: 'report' },
    answer: answers(to(bob, 'BOUNCE', 'No thanks'), toAll('DEFAULT')),
    exact: { [bob]: refused('5.7.1 No thanks'), [carol]: inbox },
    oneReply: { [bob]: accepted, [carol]: inbox },
  },
  {
    name: 'a failure within the timeout of the rule',
    to: [bob, carol],
    rule: { timeout: 5, fallback: 'BOUNCE' },
    answer: broken,
    exact: all([bob, carol], later),
  },
  {
    name: 'the fallback DEFAULT',
    to: [bob],
    rule: { fallback: 'DEFAULT' },
    answer: broken,
    exact: { [bob]: inbox },
  },
  {
    name: 'the fallback DROP',
    to: [bob],
    rule: { fallback: 'DROP' },
    answer: broken,
    exact: { [bob]: accepted },
  },
  {
    name: 'the fallback BOUNCE',
    to: [bob],
    rule: { fallback: 'BOUNCE' },
    answer: broken,
    exact: { [bob]: refused('5.3.0 The mail was refused') },
  },
  {
    name: 'the fallback for a recipient that no action covers',
    to: [bob, carol],
    rule: { fallback: 'DROP' },
    answer: answers(to(bob, 'DEFAULT')),
    exact: { [bob]: inbox, [carol]: accepted },
  },
  {
    name: 'recipients that the function adds',
    to: [bob],
    answer: answers(to(carol, 'DEFAULT'), to('eve@elsewhere.example', 'DEFAULT'), toAll('DROP')),
    exact: { [bob]: accepted },
    added: { [carol]: 'inbox' },
  },
  {
    name: 'recipients that the function adds to a mail that bounces',
    to: [bob],
    answer: answers(to(carol, 'MOVE_TO_JUNK'), toAll('BOUNCE', 'No')),
    exact: { [bob]: refused('5.7.1 No') },
    added: { [carol]: 'junk' },
    times: 2,
  },
  {
    name: 'DEFAULT for a mail that comes twice',
    to: [bob, carol],
    answer: answers(toAll('DEFAULT')),
    exact: all([bob, carol], inbox),
    times: 2,
  },
  {
    name: 'BOUNCE for a mail that comes twice',
    to: [bob],
    answer: answers(toAll('BOUNCE', 'No')),
    exact: { [bob]: refused('5.7.1 No') },
    times: 2,
  },
]
