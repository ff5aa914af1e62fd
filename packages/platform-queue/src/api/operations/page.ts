import { invalidValue } from '../../store/queue-store-error.ts'
import { within } from './inputs.ts'

/** The part of a list that a client requests. */
interface PageInput {
  readonly MaxResults?: number | undefined
  readonly NextToken?: string | undefined
}

const mostResults = 1000

/**
 * Returns a page of sorted names. As on AWS, only a request with MaxResults gets a token for the next page.
 * @throws QueueStoreError if MaxResults is out of bounds, and for a token that no page has given
 */
export function page(
  names: readonly string[],
  { MaxResults, NextToken }: PageInput,
): { readonly items: readonly string[]; readonly next: { readonly NextToken?: string } } {
  within(MaxResults, 'MaxResults', 1, mostResults)
  const after = NextToken === undefined ? '' : nameIn(NextToken)
  const left = names.filter(name => name > after)
  const items = left.slice(0, MaxResults ?? mostResults)
  const hasNext = MaxResults !== undefined && items.length < left.length
  return { items, next: hasNext ? { NextToken: tokenOf(items.at(-1)!) } : {} }
}

function tokenOf(name: string): string {
  return Buffer.from(name).toString('base64url')
}

/** Returns the last name of the page before. The queue may have been deleted since then. */
function nameIn(token: string): string {
  const name = Buffer.from(token, 'base64url').toString()
  if (/^[\w-]+(?:\.fifo)?$/.test(name) && tokenOf(name) === token) return name
  // Read as any other place, it would end the list, or begin it again.
  throw invalidValue(token, 'NextToken', 'It is not the token of a page.')
}
