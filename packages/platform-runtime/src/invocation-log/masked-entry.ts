import { mark, spellings } from '../masking/findings.ts'
import { maskJson, maskText } from '../masking/mask.ts'
import { maskRepeatsInJson } from '../masking/mask-json.ts'
import { repeatsOf } from '../masking/mask-repeats.ts'
import type { NewInvocationLogEntry, UnnumberedEntry } from './entry.ts'

/** Returns an entry without its secrets, as an engine stores it. */
export function maskedEntry(entry: NewInvocationLogEntry): UnnumberedEntry {
  const { secretFree, ...rest } = entry
  const event = secretFree === true ? undefined : maskJson(entry.event)
  const payload = maskText(entry.payload)
  const message = entry.failure && maskText(entry.failure.message)
  const verdict = entry.verdict && maskText(entry.verdict.text)
  const lines = entry.logs.map(({ text }) => maskText(text))
  const masked: UnnumberedEntry = {
    ...rest,
    event: event?.text ?? entry.event,
    payload: payload.text,
    failure: entry.failure && { ...entry.failure, message: message!.text },
    verdict: entry.verdict && { ...entry.verdict, text: verdict!.text },
    logs: entry.logs.map((line, position) => ({ ...line, text: lines[position]!.text })),
    masked: false,
  }
  const texts = [event, payload, message, verdict, ...lines]
  const secrets = new Set<string>()
  for (const each of texts) for (const secret of each?.secrets ?? []) secrets.add(secret)
  if (secrets.size === 0) return { ...masked, masked: isChanged(masked, entry) }
  return withoutRepeats(
    masked,
    secrets,
    texts.some(each => each?.tooMany),
  )
}

function isChanged(masked: UnnumberedEntry, entry: NewInvocationLogEntry): boolean {
  return (
    masked.event !== entry.event ||
    masked.payload !== entry.payload ||
    masked.failure?.message !== entry.failure?.message ||
    masked.verdict?.text !== entry.verdict?.text ||
    masked.logs.some(({ text }, position) => text !== entry.logs[position]!.text)
  )
}

/**
 * Masks the secrets of each string wherever they are repeated in the entry. If there are too many secrets to search
 * for, the failure, the verdict and the logs are masked completely.
 */
function withoutRepeats(
  entry: UnnumberedEntry,
  secrets: ReadonlySet<string>,
  tooMany: boolean,
): UnnumberedEntry {
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
    masked: true,
  }
}
