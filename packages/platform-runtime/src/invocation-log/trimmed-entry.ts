import type { NewInvocationLogEntry } from './entry.ts'

/** Characters of a payload that are kept. */
export const loggedPayloadLimit = 16 * 1024

/** The same when more comes than can be packed. */
const shortLimit = 256

/** An entry with as much of it as is kept. An event is kept whole, since it may be sent again. */
export function trimmedEntry(entry: NewInvocationLogEntry): NewInvocationLogEntry {
  const { payload } = entry
  return payload.length > loggedPayloadLimit ? { ...entry, payload: cut(payload, loggedPayloadLimit) } : entry
}

/** What is kept of an entry when more comes than can be packed. */
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

/** Whether the event of an entry was left out. */
export function isEventOmitted(event: string): boolean {
  return event.startsWith(`"${leftOut}`)
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}… (the first of ${text.length} characters)` : text
}
