import type { MailVerdict } from '@signalbox/mail-flow/contract'
import type { Verdict } from '@signalbox/platform-runtime'
import type { NewRecipient } from '../store/mail-store.ts'

/**
 * Describes the verdict on a mail in words.
 * @param added the recipients that the verdict adds to the mail, with those that the platform refuses
 */
export function describeMailVerdict(
  verdict: MailVerdict,
  added: readonly NewRecipient[] = [],
): Omit<Verdict, 'family'> {
  const dispositions = [
    ...verdict.recipients.map(({ address, disposition }) => `${address}: ${disposition}`),
    ...added.map(({ address, state, why }) => `${address}: ${state === 'failed' ? why : 'added'}`),
  ].join(', ')
  return verdict.kind === 'failed'
    ? { kind: 'failed', ok: false, text: `failed: ${verdict.why}` }
    : { kind: verdict.kind, ok: true, text: dispositions }
}
