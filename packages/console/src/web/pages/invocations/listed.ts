import type { InvocationSummary } from '../../../api/invocations.ts'

/** The maximum number of invocations of a list that keeps growing by itself. */
export const mostListed = 100

/** The invocations of a list, the newest first. */
export interface Listed {
  readonly invocations: readonly InvocationSummary[]
  /** Where older ones begin. Undefined at the end. */
  readonly before: number | undefined
  /** How many came that the list leaves out, because they came too fast. */
  readonly skipped: number
}

/** Returns a list with what is new, each invocation once. It grows to `mostListed`, and drops the oldest beyond. */
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

/** Returns a list with an older page. */
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
