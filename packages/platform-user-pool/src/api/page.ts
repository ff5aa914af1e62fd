import * as t from 'io-ts'

/** What asks for a part of a list. */
export const pageFields = { Limit: t.number, NextToken: t.string }

/** The part of a list that is asked for, and the token for what follows. */
export function page<A>(
  all: readonly A[],
  { Limit = 60, NextToken }: { readonly Limit?: number | undefined; readonly NextToken?: string | undefined },
  nameOf: (item: A) => string,
): { readonly shown: readonly A[]; readonly next: { readonly NextToken?: string } } {
  const start = NextToken === undefined ? 0 : all.findIndex(each => nameOf(each) === NextToken) + 1
  const shown = all.slice(start, start + Limit)
  const isLast = start + shown.length >= all.length || shown.length === 0
  return { shown, next: isLast ? {} : { NextToken: nameOf(shown.at(-1)!) } }
}
