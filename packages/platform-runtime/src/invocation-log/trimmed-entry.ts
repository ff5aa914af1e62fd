import type { NewInvocationLogEntry } from './entry.ts'

/** The maximum number of characters of a payload that are logged. */
export const loggedPayloadLimit = 16 * 1024

/** The maximum number of characters of a string that are logged under overload. */
const shortLimit = 256

/** Returns an entry with a payload of limited length. The event stays complete, because a user may replay it. */
export function trimmedEntry(entry: NewInvocationLogEntry): NewInvocationLogEntry {
  const { payload } = entry
  return payload.length > loggedPayloadLimit ? { ...entry, payload: cut(payload, loggedPayloadLimit) } : entry
}

/** Returns an entry with strings of minimal length, for overload. */
export function minimalEntry(entry: NewInvocationLogEntry): NewInvocationLogEntry {
  const { event, payload, logs } = entry
  return {
    ...entry,
    event: event.length > shortLimit ? JSON.stringify(`${leftOut}${event.length} characters`) : event,
    payload: payload.length > shortLimit ? cut(payload, shortLimit) : payload,
    logs: logs.slice(0, 1).map(line => ({ ...line, text: cut(line.text, shortLimit) })),
  }
}

const leftOut = 'left out because too much came at once: '

/** Returns whether the event of an entry was left out because of overload. */
export function isEventOmitted(event: string): boolean {
  return event.startsWith(`"${leftOut}`)
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}… (the first of ${text.length} characters)` : text
}
