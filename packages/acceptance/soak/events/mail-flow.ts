import { memoryStore, type Plugin } from '@signalbox/core'
import { type Decide, decideMail, type MailFlowOptions, mailFlow, once } from '@signalbox/mail-flow'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { expectAnswer, expectError, type Outcome, oneOf, type Planned } from './planned.ts'
import {
  clock,
  current,
  maybePause,
  pause,
  see,
  seeOwn,
  untilAborted,
  type Visit,
  violation,
} from './visit.ts'

/** A response that many events have. */
const shared = { actions: [{ action: { type: 'MOVE_TO_JUNK' as const }, allRecipients: true }] }

/** Decides as the subject of a mail asks. */
const decide: Decide = async (mail, actions, { signal }) => {
  await maybePause()
  seeOwn('a mail', mail)
  const run = ++current().runs
  const [asked, mark] = mail.subject.split(' ') as [string, string]
  const first = mail.recipients[0]!
  if (asked === 'bounce') return actions.bounce(`bounced ${mark} in run ${run}`, [first]).default()
  if (asked === 'plain') return { actions: [{ action: { type: 'DROP' }, recipients: [first] }] }
  if (asked === 'shared') return shared
  if (asked === 'raw') {
    const { subject, text } = await mail.parsed()
    seeOwn('a parsed mail', subject, text)
    await pause()
    return actions.bounce(`${subject}`)
  }
  if (asked === 'fail') throw new Error(`failed ${mark}`)
  if (asked === 'wait') return untilAborted(signal)
  return asked === 'err' ? ({ actions: [{ action: { type: mark } }] } as never) : undefined
}

const options = (): MailFlowOptions => ({
  clock,
  reserve: 100,
  once: once({ store: memoryStore({ clock }) }),
  onTimeout: (mail, actions) => {
    seeOwn('a late mail', mail)
    return actions.bounce(`late ${mail.invocationId}`)
  },
  onWarnings(warnings, event) {
    seeOwn('warnings about a mail', warnings, event)
    if (!/^plain/.test(event.subject))
      violation(`warnings about ${event.subject}: ${JSON.stringify(warnings)}`)
  },
  async fetchMessage(messageId, { signal }) {
    await pause()
    seeOwn('a message to fetch', messageId)
    if (signal.aborted) violation(`a mail is fetched too late: ${messageId}`)
    return `From: a@office.example\r\nSubject: Raw ${messageId}\r\n\r\nText of ${messageId}\r\n`
  },
})

export function mailPlugin(): Plugin {
  return mailFlow(decide, options()) as Plugin
}

export const mailOptions: MailFlowOptions = options()
export const mailHandler = decideMail(decide, mailOptions)

/** Makes a mail. */
export function mailPlan(own: Visit): Planned {
  const { mark, random } = own
  const asked = oneOf(
    own,
    'bounce',
    'plain',
    'shared',
    'raw',
    'nothing',
    'bounce',
    'fail',
    'wait',
    'err',
    'invalid',
  )
  const recipients = Array.from(
    { length: 1 + random(3) },
    (_, position) => `${mark}-${position}@office.example`,
  )
  const event = mailEvent({
    from: `${mark}@partner.example`,
    recipients,
    subject: `${asked} ${mark}`,
    messageId: mark,
    invocationId: mark,
  })
  const all = (action: object) => [{ action, allRecipients: true }]
  const bounce = (bounceMessage: string) => ({ type: 'BOUNCE', parameters: { bounceMessage } })
  const actions: { readonly [asked: string]: unknown } = {
    bounce: [
      { action: bounce(`bounced ${mark} in run 1`), recipients: [recipients[0]] },
      ...all({ type: 'DEFAULT' }),
    ],
    plain: [{ action: { type: 'DROP' }, recipients: [recipients[0]] }],
    shared: shared.actions,
    raw: all(bounce(`Raw ${mark}`)),
    nothing: all({ type: 'DEFAULT' }),
    wait: all(bounce(`late ${mark}`)),
  }
  const errors: { readonly [asked: string]: string } = {
    fail: `failed ${mark}`,
    err: 'InvalidResponseError',
    invalid: mark,
  }
  const kind = `mail ${asked}`
  return {
    event: asked === 'invalid' ? { ...event, flowDirection: mark } : event,
    kind,
    timeout: asked === 'wait' ? 400 + random(500) : 60_000,
    again: asked === 'bounce' ? oneOf(own, undefined, 'meanwhile', 'afterwards') : undefined,
    check(outcome: Outcome) {
      if (errors[asked] !== undefined) expectError(own, kind, outcome, errors[asked])
      else if ('answer' in outcome && own.runs > 1) seeOwn(kind, outcome.answer)
      else expectAnswer(own, kind, outcome, { actions: actions[asked] })
      if ('error' in outcome) see(`${kind}, its error`, outcome.error)
    },
    checkAll([first, second]) {
      if (second !== undefined && JSON.stringify(first) !== JSON.stringify(second))
        violation(`${kind} of ${mark} was decided twice: ${JSON.stringify([first, second])}`)
    },
  }
}
