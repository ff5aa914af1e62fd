import { type MailEvent, MailResponse, mailVerdict, responseTimeLimit } from '@signalbox/mail-flow/contract'
import { mailFlowFamily } from '@signalbox/mail-flow/family'
import { type PlatformFamily, payloadProblems } from '@signalbox/platform-runtime'
import { describeMailVerdict } from './flow/describe-mail-verdict.ts'

/** The functions with which the platform handles mail-flow events. */
export const mailFamily: PlatformFamily = {
  ...mailFlowFamily,
  timeLimit: responseTimeLimit,
  verdict: (payload, event: MailEvent) => describeMailVerdict(mailVerdict(payload, event)),
  problems: payload => payloadProblems(MailResponse, payload),
  summarize: ({ subject }) => `mail ${JSON.stringify(subject)}`,
  samples: { 'mail-flow': async () => (await import('@signalbox/mail-flow/testing')).mailEvent() },
}
