import {
  type Findings,
  mark,
  maskAny,
  maskEvent,
  maskRepeatsInJson,
  noFindings,
  repeatsOf,
  spellings,
} from '@signalbox/telemetry/masking'
import type { NewInvocationLogEntry, UnnumberedEntry } from './entry.ts'

/** Returns an entry without its secrets, as an engine stores it. */
export function maskedEntry(entry: NewInvocationLogEntry): UnnumberedEntry {
  const { event, payload, failure, verdict, logs } = entry
  const texts = [event, payload, failure?.message ?? '', verdict?.text ?? '', ...logs.map(({ text }) => text)]
  const findings = noFindings(texts.join('').length, texts.length)
  const masked = {
    ...entry,
    event: maskEvent(event, findings),
    payload: maskAny(payload, findings),
    failure: failure && { ...failure, message: maskAny(failure.message, findings) },
    verdict: verdict && { ...verdict, text: maskAny(verdict.text, findings) },
    logs: logs.map(line => ({ ...line, text: maskAny(line.text, findings) })),
  }
  if (findings.secrets.size === 0) return { ...masked, masked: findings.masked > 0 }
  return { ...withoutRepeats(masked, findings), masked: true }
}

/**
 * Masks the secrets of each string wherever they are repeated in the entry. If there are too many secrets to search
 * for, the failure, the verdict and the logs are masked completely.
 */
function withoutRepeats(entry: NewInvocationLogEntry, { secrets, tooMany }: Findings): NewInvocationLogEntry {
  const { all, long } = repeatsOf(spellings(secrets))
  const masked = tooMany ? () => mark : all
  const { event, payload, failure, verdict, logs } = entry
  return {
    ...entry,
    // Only long secrets are searched for here, because a short one may be part of any word.
    event: maskRepeatsInJson(event, long) ?? JSON.stringify(mark),
    payload: maskRepeatsInJson(payload, all) ?? all(payload),
    failure: failure && { ...failure, message: masked(failure.message) },
    verdict: verdict && { ...verdict, text: masked(verdict.text) },
    logs: logs.map(line => ({ ...line, text: masked(line.text) })),
  }
}
