import type { MailVerdict } from '@signalbox/mail-flow/contract'
import type { Verdict } from '@signalbox/platform-runtime'

/** Describes the verdict on a mail in words. */
export function describeMailVerdict(verdict: MailVerdict): Omit<Verdict, 'family'> {
  const dispositions = verdict.recipients
    .map(({ address, disposition }) => `${address}: ${disposition}`)
    .join(', ')
  return verdict.kind === 'failed'
    ? { kind: 'failed', ok: false, text: `failed: ${verdict.why}` }
    : { kind: verdict.kind, ok: true, text: dispositions }
}
