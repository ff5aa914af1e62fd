import type { Clock } from '@signalbox/core'
import { addressKey } from '@signalbox/mail-flow/contract'
import type { SourceContext } from '@signalbox/platform-runtime'
import type { DecideBefore, EarlyDecision, OfferedMail } from '../api/decision.ts'
import type { Reply } from '../api/reply.ts'
import type { MailSettings, MilterSettings } from '../config/mail-settings.ts'
import { type Answer, answerOf, refusal } from './answer.ts'
import type { FilteredMail } from './arriving-mail.ts'
import type { MilterBounds } from './milter-bounds.ts'
import type { Agreement } from './negotiation.ts'

/** The work of functions for the mail of another server. */
export interface FilterWork {
  readonly decide: DecideBefore
  /** Does what the mail server cannot do, once it may accept a mail. Resolves when this is durable. */
  readonly passed: (mail: OfferedMail, decision: EarlyDecision) => Promise<void>
}

/** Answers a mail of a connection with this agreement. Never rejects. */
export type AnswerMail = (mail: FilteredMail, agreement: Agreement) => Promise<Answer>

const undecided: Reply = { code: 451, text: '4.3.0 The mail cannot be checked now, try again later' }

/** Returns a function that asks functions about a mail, and returns the answer to the mail server. */
export function filterAnswers(
  settings: MailSettings & { readonly milter: MilterSettings },
  {
    work: { decide, passed },
    clock,
    newId,
    notice,
  }: Pick<SourceContext, 'notice'> & {
    readonly work: FilterWork
    readonly clock: Clock
    readonly newId: () => string
  },
  bounds: Pick<MilterBounds, 'decision'>,
): AnswerMail {
  const { mixed, milter } = settings
  const asked = async (mail: FilteredMail, agreement: Agreement): Promise<Answer> => {
    const { from, utf8, facts, raw } = mail
    const directions = new Map(mail.recipients.map(each => [addressKey(each.address), each.direction]))
    const offered: OfferedMail = {
      ...{ id: newId(), from, utf8, facts, raw, recipients: mail.recipients.map(({ address }) => address) },
      everyRule: true,
      directionOf: address => directions.get(addressKey(address)) ?? 'INBOUND',
    }
    const decision = await decide(offered)
    const answer = answerOf(mail, decision, agreement, { mixed, junkSubaddress: milter.junkSubaddress })
    if (answer.isAccepted) await passed(offered, decision)
    return answer
  }
  return (mail, agreement) =>
    new Promise(resolve => {
      const end = (answer: Answer) => {
        cancel()
        resolve(answer)
      }
      const cancel = clock.after(bounds.decision, () => end(refusal(undecided)))
      asked(mail, agreement).then(end, error => {
        notice(`mail: the milter could not answer: ${error instanceof Error ? error.message : String(error)}`)
        end(refusal(undecided))
      })
    })
}
