import type { Unnumbered } from './block.ts'
import type { NewEntry } from './entry.ts'
import { type Masked, maskJson, maskRepeatsInJson, maskText } from './mask.ts'
import { maskRepeats } from './mask-repeats.ts'

/** Characters of a payload that are kept. */
export const payloadLimit = 256 * 1024

/** An entry as it goes into the journal: without its secrets, and with the beginning of a payload that is too long. */
export function maskedEntry(entry: NewEntry): Unnumbered {
  // Written out, because this is done for every invocation.
  const { requestId, functionName, source, family, attempt, generation, started, duration } = entry
  const { failure, verdict, logs } = entry
  const event = entry.plain === true ? unchanged(entry.event) : maskJson(entry.event)
  const payload = maskJson(entry.payload)
  const masked: Unnumbered = {
    requestId,
    functionName,
    source,
    family,
    attempt,
    generation,
    started,
    duration,
    event: event.text,
    payload: cut(payload.text),
    failure,
    verdict,
    logs,
    masked: event.text !== entry.event || payload.text !== entry.payload,
  }
  return failure === undefined && logs.length === 0 && !masked.masked
    ? masked
    : withoutSecrets(masked, [...event.secrets, ...payload.secrets])
}

function unchanged(text: string): Masked {
  return { text, secrets: [] }
}

/** Masks in whatever was said about an event what is said there for the first time, and what was found before. */
function withoutSecrets(entry: Unnumbered, before: readonly string[]): Unnumbered {
  const { failure, verdict, logs } = entry
  const message = failure && maskText(failure.message)
  const lines = logs.map(({ text }) => maskText(text))
  const secrets = [...before, ...(message?.secrets ?? []), ...lines.flatMap(line => line.secrets)]
  if (secrets.length === 0) return entry
  return {
    ...entry,
    event: maskRepeatsInJson(entry.event, secrets),
    payload: maskRepeats(entry.payload, secrets),
    failure: failure && { ...failure, message: maskRepeats(message!.text, secrets) },
    verdict: verdict && { ...verdict, text: maskRepeats(verdict.text, secrets) },
    logs: logs.map((line, position) => ({ ...line, text: maskRepeats(lines[position]!.text, secrets) })),
    masked: true,
  }
}

function cut(payload: string): string {
  return payload.length > payloadLimit ? `${payload.slice(0, payloadLimit)}… (cut)` : payload
}
