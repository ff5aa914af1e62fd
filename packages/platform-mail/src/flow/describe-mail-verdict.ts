import type { MailVerdict } from '@signalbox/mail-flow/contract'
import type { Verdict } from '@signalbox/platform-runtime'
import type { AddedAddress } from './added-recipients.ts'

/**
 * Describes the verdict on a mail in words.
 * @param added the recipients that the verdict adds to the mail, with those that the platform refuses
 */
export function describeMailVerdict(
  verdict: MailVerdict,
  added: readonly AddedAddress[] = [],
): Omit<Verdict, 'family'> {
  const dispositions = [
    ...verdict.recipients.map(({ address, disposition }) => `${address}: ${disposition}`),
    ...added.map(
      ({ address, why, refusal }) =>
        `${address}: ${refusal === undefined ? 'added' : `${why}, but ${refusal}`}`,
    ),
  ].join(', ')
  return verdict.kind === 'failed'
    ? { kind: 'failed', ok: false, text: `failed: ${verdict.why}` }
    : { kind: verdict.kind, ok: true, text: dispositions }
}
