import type { InvocationLogEntry } from '@signalbox/platform-runtime'
import type { AcceptedMail, ConsoleContext } from '@signalbox/platform-runtime/console'

/** The maximum number of ids to search for in one event. */
const mostIds = 6
/** The maximum number of related invocations to find for each id. */
const mostForEach = 20

/** Invocations with the same mail address are related if at most this many milliseconds lie between them. */
const addressSpan = 10 * 60_000

/** The maximum length of the text that is searched for ids, in characters. */
const readLimit = 200_000

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
const traceRoot = /\b1-[0-9a-f]{8}-[0-9a-f]{24}\b/g
const address = /[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+/g

/** A related invocation, and the id that the two invocations share. */
export interface Related {
  readonly entry: InvocationLogEntry
  readonly by: 'attempt' | 'shares'
  readonly id: string
}

/**
 * The earlier and later invocations that are related to an invocation, oldest first, and the mails to its addresses.
 */
export interface Story {
  readonly related: readonly Related[]
  readonly mails: readonly AcceptedMail[]
}

/**
 * Finds the invocations that are related to an invocation: its other attempts, which have the same request id;
 * invocations with the same message id, user id or trace id in their events; and, within ten minutes, invocations
 * with the same mail address.
 */
export async function storyOf(
  entry: InvocationLogEntry,
  { invocationLog, parts }: Pick<ConsoleContext, 'invocationLog' | 'parts'>,
): Promise<Story> {
  const text = `${entry.event.slice(0, readLimit)}\n${entry.payload}`
  const ids = distinct([...text.matchAll(uuid), ...text.matchAll(traceRoot)]).slice(0, mostIds)
  const addresses = distinct([...text.matchAll(address)]).slice(0, mostIds)
  const span = { from: entry.started - addressSpan, to: entry.started + addressSpan }
  const found = new Map<number, Related>()
  const add = (entries: readonly InvocationLogEntry[], by: Related['by'], id: string) => {
    for (const each of entries)
      if (each.id !== entry.id && !found.has(each.id)) found.set(each.id, { entry: each, by, id })
  }
  const { requestId } = entry
  add((await invocationLog.search({ requestId, last: mostForEach })).entries, 'attempt', requestId)
  for (const id of ids)
    add((await invocationLog.search({ text: id, last: mostForEach })).entries, 'shares', id)
  for (const each of addresses)
    add((await invocationLog.search({ text: each, ...span, last: mostForEach })).entries, 'shares', each)
  const related = [...found.values()].sort((a, b) => a.entry.id - b.entry.id)
  return { related, mails: await mailsOf([...ids, ...addresses], span, parts) }
}

async function mailsOf(
  ids: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
  { mail }: ConsoleContext['parts'],
): Promise<readonly AcceptedMail[]> {
  if (mail === undefined || ids.length === 0) return []
  const wanted = new Set(ids.map(id => id.toLowerCase()))
  const all = await mail.list().catch(() => [])
  return all
    .filter(
      ({ id, receivedAt, recipients }) =>
        wanted.has(id) ||
        (receivedAt >= from &&
          receivedAt < to &&
          recipients.some(each => wanted.has(each.address.toLowerCase()))),
    )
    .slice(0, mostForEach)
}

function distinct(matches: readonly RegExpMatchArray[]): readonly string[] {
  return [...new Set(matches.map(([id]) => id))]
}
