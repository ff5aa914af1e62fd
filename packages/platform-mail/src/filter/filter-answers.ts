import type { Clock } from '@signalbox/core'
import { addressKey } from '@signalbox/mail-flow/contract'
import type { SourceContext } from '@signalbox/platform-runtime'
import { inAcceptSpan } from '@signalbox/platform-runtime/traces'
import { acceptedMailSpan } from '../api/data/accepted-mail-span.ts'
import type { DecideBefore, EarlyDecision, OfferedMail } from '../api/decision.ts'
import type { Reply } from '../api/reply.ts'
import { type Conclusion, type ConclusionSettings, conclusionOf } from './conclusion.ts'
import type { FilteredMail } from './filtered-mail.ts'

/** The work of functions for the mail of another server. */
export interface FilterWork {
  readonly decide: DecideBefore
  /** Does what the mail server cannot do, once it may accept a mail. Resolves when this is durable. */
  readonly passed: (mail: OfferedMail, decision: EarlyDecision) => Promise<void>
}

/** The parts of a listener for other mail servers that are not settings. */
export interface FilterContext extends Pick<SourceContext, 'notice' | 'traces'> {
  readonly work: FilterWork
  readonly clock: Clock
  readonly newId: () => string
}

/** An answer in a protocol. */
interface Answer {
  /** Whether the mail server keeps the mail, or forgets it without telling its client. */
  readonly isAccepted: boolean
}

/**
 * Asks functions about a mail, and returns the answer to the mail server. Never rejects.
 * @param say puts a conclusion into the words of the protocol
 * @param settled called when functions no longer use the mail, which can be after its answer
 */
export type AnswerMail = <Path, A extends Answer>(
  mail: FilteredMail<Path>,
  say: (conclusion: Conclusion<Path>) => A,
  settled?: () => void,
) => Promise<A>

/** The reply to a mail on which nothing was decided. */
export const undecided: Reply = {
  code: 451,
  text: '4.3.0 The mail cannot be checked now, try again later',
}

/** Leaves all recipients of a mail to what happens after the answer. */
const allOpen = ({ recipients }: OfferedMail): EarlyDecision => ({
  recipients: recipients.map(address => ({ address, kind: 'open' })),
  added: [],
})

/**
 * Returns a function that asks functions about mails of other servers.
 * @param door the name of the listener in notices
 * @param limit milliseconds after which the mail server gets an answer although nothing was decided
 */
export function filterAnswers(
  settings: ConclusionSettings,
  { work: { decide, passed }, clock, newId, notice, traces }: FilterContext,
  door: string,
  limit: number,
): AnswerMail {
  const asked: AnswerMail = async (mail, say) => {
    const { from, utf8, facts, raw } = mail
    const directions = new Map(mail.recipients.map(each => [addressKey(each.address), each.direction]))
    const offered: OfferedMail = {
      ...{ id: newId(), from, utf8, facts, raw, recipients: mail.recipients.map(({ address }) => address) },
      ...{ everyRule: true, hasOneContent: true },
      ...mail.changes,
      directionOf: address => directions.get(addressKey(address)) ?? 'INBOUND',
    }
    // The mail may come from a stranger, who cannot put it into a trace.
    return inAcceptSpan(traces, acceptedMailSpan(offered.id, {}), async () => {
      const decision = (await decide(offered)) ?? allOpen(offered)
      const answer = say(conclusionOf(mail, decision, settings))
      if (answer.isAccepted) await passed(offered, decision)
      return answer
    })
  }
  return (mail, say, settled) =>
    new Promise(resolve => {
      const end = (answer: ReturnType<typeof say>) => {
        cancel()
        resolve(answer)
      }
      const later = () => say({ kind: 'refused', reply: undecided })
      const cancel = clock.after(limit, () => end(later()))
      asked(mail, say)
        .finally(settled)
        .then(end, error => {
          notice(`mail: ${door} could not answer: ${error instanceof Error ? error.message : String(error)}`)
          end(later())
        })
    })
}
