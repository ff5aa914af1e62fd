import { within } from './inputs.ts'

/** The part of a list that a client requests. */
interface PageInput {
  readonly MaxResults?: number | undefined
  readonly NextToken?: string | undefined
}

const mostResults = 1000

/**
 * Returns a page of sorted names. As on AWS, only a request with MaxResults gets a token for the next page.
 * @throws QueueStoreError if MaxResults is out of bounds
 */
export function page(
  names: readonly string[],
  { MaxResults, NextToken }: PageInput,
): { readonly items: readonly string[]; readonly next: { readonly NextToken?: string } } {
  within(MaxResults, 'MaxResults', 1, mostResults)
  const after = NextToken === undefined ? '' : Buffer.from(NextToken, 'base64url').toString()
  const left = names.filter(name => name > after)
  const items = left.slice(0, MaxResults ?? mostResults)
  const hasNext = MaxResults !== undefined && items.length < left.length
  return { items, next: hasNext ? { NextToken: Buffer.from(items.at(-1)!).toString('base64url') } : {} }
}
