import type { InvocationSummary } from '@signalbox/platform-runtime/console'

/** The maximum number of invocations of a live list. */
export const mostListed = 100

/** The invocations of a list, newest first. */
export interface Listed {
  readonly invocations: readonly InvocationSummary[]
  /** All older invocations have ids below this id. Undefined if there are no older invocations. */
  readonly before: number | undefined
  /** The number of invocations that the list omits because they arrived too fast. */
  readonly skipped: number
}

/** Adds new invocations to a list without duplicates, and drops the oldest beyond `mostListed`. */
export function withNews(
  listed: Listed,
  news: readonly InvocationSummary[],
  skipped: number,
  most = mostListed,
): Listed {
  const known = new Set(listed.invocations.map(({ id }) => id))
  const fresh = news.filter(({ id }) => !known.has(id)).sort((a, b) => b.id - a.id)
  if (fresh.length === 0) return skipped === 0 ? listed : { ...listed, skipped: listed.skipped + skipped }
  const all = [...fresh, ...listed.invocations]
  const isTooLong = all.length > most
  const invocations = isTooLong ? all.slice(0, most) : all
  return {
    invocations,
    before: isTooLong ? invocations.at(-1)?.id : listed.before,
    skipped: listed.skipped + skipped,
  }
}

/** Adds a page of older invocations to a list. */
export function withOlder(
  listed: Listed,
  older: { readonly invocations: readonly InvocationSummary[]; readonly before?: number | undefined },
): Listed {
  const known = new Set(listed.invocations.map(({ id }) => id))
  return {
    ...listed,
    invocations: [...listed.invocations, ...older.invocations.filter(({ id }) => !known.has(id))],
    before: older.before,
  }
}
