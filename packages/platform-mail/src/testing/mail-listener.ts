import { type ManualClock, manualClock } from '@signalbox/core/testing'
import { valuesOf } from '@signalbox/platform-runtime/config'
import { addressPattern } from '../address-pattern.ts'
import { type Bounds, bounds } from '../api/connections/bounds.ts'
import type { EarlyDecision } from '../api/decision.ts'
import { type Accept, type IncomingMail, type ListenerRole, smtpListener } from '../api/listener.ts'
import { mailFields } from '../config/mail-config.ts'
import type { MailRule, MailSettings, PatternRule } from '../config/mail-settings.ts'
import { type SmtpDialogue, smtpDialogue } from './smtp-dialogue.ts'

/** Settings of a listener for `office.example` on a free port. */
export const officeSettings: MailSettings = {
  ...valuesOf(mailFields, { port: 0, name: 'box.example', maxSize: 1 }),
  domains: mailDomains({ 'office.example': '*' }),
  rules: [],
  functions: new Map(),
  relay: undefined,
  tls: undefined,
  submission: undefined,
  lmtp: undefined,
  milter: undefined,
  hooks: undefined,
  authentication: undefined,
  trusted: ['127.0.0.0/8', '::1'],
  retention: 1000,
}

export interface MailListenerOptions {
  readonly settings?: Partial<MailSettings>
  readonly bounds?: Partial<Bounds>
  readonly accept?: Accept
  readonly clock?: ManualClock
  /** The role of the listener, which determines how its clients authenticate. */
  readonly role?: ListenerRole
}

/** Returns a listener that keeps mails in memory, with the ids mail-1, mail-2, … */
export async function mailListener({
  settings = {},
  bounds: own = {},
  accept,
  clock = manualClock(1_700_000_000_000),
  role,
}: MailListenerOptions = {}) {
  const mails: IncomingMail[] = []
  const decided: EarlyDecision[] = []
  const notices: string[] = []
  let taken = 0
  const listener = smtpListener(
    { ...officeSettings, ...settings },
    async (mail, its) => {
      await accept?.(mail, its)
      mails.push(mail)
      if (its !== undefined) decided.push(its)
    },
    { clock, newId: () => `mail-${++taken}`, notice: text => notices.push(text) },
    { ...bounds, ...own },
    role,
  )
  const url = await listener.start()
  return {
    url,
    port: Number(new URL(url).port),
    mails,
    /** What was decided on each mail. */
    decided,
    notices,
    clock,
    stop: listener.stop,
    /** Returns a client that has sent all commands up to DATA. */
    async ready(): Promise<SmtpDialogue> {
      const dialogue = await smtpDialogue(url)
      for (const line of opening) await dialogue.say(line)
      return dialogue
    },
    async [Symbol.asyncDispose]() {
      await listener.stop(1000)
    },
  }
}

/** The commands before the data of a mail to bob. */
export const opening = [
  'EHLO client.example',
  'MAIL FROM:<ann@far.example>',
  'RCPT TO:<bob@office.example>',
  'DATA',
] as const

/** Returns a mail without the lines that the listener adds: the trace line, and the date and the id if they were missing. */
export function belowTrace(raw: Buffer): Buffer {
  const added =
    /^Received: [^\r]*\r\n\t[^\r]*\r\n\t[^\r]*\r\n(?:Date: [^\r]*\r\n)?(?:Message-ID: <mail-[^\r]*>\r\n)?/
  const [trace] = added.exec(raw.toString('latin1')) ?? ['']
  return raw.subarray(trace.length)
}

/** Returns the settings of domains with mailboxes, from their local parts or `*`. */
export function mailDomains(domains: {
  readonly [domain: string]: '*' | readonly string[]
}): MailSettings['domains'] {
  return new Map(
    Object.entries(domains).map(([domain, names]) => [
      domain,
      {
        ...{ to: 'mailboxes', subaddresses: true, aliases: new Map() },
        recipients: names === '*' ? names : new Set(names),
      },
    ]),
  )
}

/** Returns a rule for all senders and recipients. */
export function anyMail(rule: MailRule & Partial<Pick<PatternRule, 'decide'>>): PatternRule {
  const everyone = [addressPattern('*')]
  return { decide: 'after', ...rule, senders: everyone, recipients: everyone }
}
