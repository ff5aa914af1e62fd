import type { Unnumbered } from './block.ts'
import type { NewEntry } from './entry.ts'
import { maskJson, maskRepeats } from './mask.ts'

/** Characters of a payload that are kept. */
export const payloadLimit = 256 * 1024

/** An entry as it goes into the journal: without its secrets, and with the beginning of a payload that is too long. */
export function maskedEntry(entry: NewEntry): Unnumbered {
  const event = maskJson(entry.event)
  const payload = maskJson(entry.payload)
  const secrets = [...event.secrets, ...payload.secrets]
  const cut =
    payload.text.length > payloadLimit ? `${payload.text.slice(0, payloadLimit)}… (cut)` : payload.text
  if (secrets.length === 0) return { ...entry, payload: cut, masked: payload.text !== entry.payload }
  const { failure, verdict } = entry
  return {
    ...entry,
    event: event.text,
    payload: maskRepeats(cut, secrets),
    failure: failure && { ...failure, message: maskRepeats(failure.message, secrets) },
    verdict: verdict && { ...verdict, text: maskRepeats(verdict.text, secrets) },
    logs: entry.logs.map(line => ({ ...line, text: maskRepeats(line.text, secrets) })),
    masked: true,
  }
}
