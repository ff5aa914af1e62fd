import * as t from 'io-ts'
import { invalidParameter } from '../../users/attributes.ts'
import { wholeNumber } from './inputs.ts'

/** The input fields that request one page of a list. */
export const pageFields = { Limit: wholeNumber(0, 60), NextToken: t.string }

/** Returns the number of entries on a list page. Default: the maximum. */
export function pageSize(limit: number | undefined): number {
  return limit || 60
}

/**
 * Returns the requested page of a list, and the token for the next page.
 * @throws UserPoolError for a page token that matches no entry of the list
 */
export function page<A>(
  all: readonly A[],
  { Limit, NextToken }: { readonly Limit?: number | undefined; readonly NextToken?: string | undefined },
  nameOf: (item: A) => string,
): { readonly items: readonly A[]; readonly next: { readonly NextToken?: string } } {
  const start = NextToken === undefined ? 0 : all.findIndex(each => nameOf(each) === NextToken) + 1
  if (NextToken !== undefined && start === 0) throw invalidParameter('Invalid pagination token given.')
  const items = all.slice(start, start + pageSize(Limit))
  const isLast = start + items.length >= all.length
  return { items, next: isLast ? {} : { NextToken: nameOf(items.at(-1)!) } }
}
