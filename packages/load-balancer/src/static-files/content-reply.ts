import { createHash } from 'node:crypto'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { headerMap } from '../request/http-request.ts'
import { allHeaders } from '../request/values.ts'
import { problem } from '../response/problem.ts'
import type { Reply, ReplyHeaders } from '../response/reply.ts'

/** The source of a reply: the whole content, and the headers that describe it. */
interface Content {
  readonly bytes: Uint8Array
  readonly type: string
  readonly cacheControl: string
  /** The time of the last change, in milliseconds since the epoch. */
  readonly modified?: number
  /** The encoding of the bytes, such as `gzip`. */
  readonly encoding?: string
}

/**
 * Returns the reply to a GET or HEAD request for content. The reply contains the whole content or one range of it, or
 * it is a 304 if the client already has the content (RFC 9110, sections 13 and 14). The entity tag is a digest of the
 * bytes, because all files of a packaged function have the same modification time.
 */
export function contentReply(content: Content, event: LoadBalancerEvent): Reply {
  const { bytes, type, cacheControl, modified, encoding } = content
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  // Dates in headers have no milliseconds.
  const changed = modified === undefined ? undefined : Math.floor(modified / 1000) * 1000
  const headers: ReplyHeaders = {
    'cache-control': cacheControl,
    etag: tag,
    'last-modified': changed === undefined ? undefined : new Date(changed).toUTCString(),
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
  }
  const precondition = failedPrecondition(event, tag, changed)
  if (precondition === 412) return problem(412, 'The content is another than expected')
  if (precondition === 304) return { statusCode: 304, headers }
  const whole = { ...headers, 'content-type': type, 'content-encoding': encoding }
  const range = event.httpMethod === 'GET' ? rangeOf(event, tag, bytes.length) : undefined
  if (range === undefined) return { statusCode: 200, headers: whole, body: bytes }
  if (range === 'unsatisfiable') {
    return problem(416, 'The content ends before this range', { 'content-range': `bytes */${bytes.length}` })
  }
  const { first, last } = range
  return {
    statusCode: 206,
    headers: { ...whole, 'content-range': `bytes ${first}-${last}/${bytes.length}` },
    body: bytes.subarray(first, last + 1),
  }
}

/**
 * Returns the status if a condition of the request fails, and otherwise undefined. Checks the conditions in the order
 * of RFC 9110, 13.2.2. A condition on a date is ignored if there is a condition on entity tags.
 */
function failedPrecondition(
  event: LoadBalancerEvent,
  tag: string,
  changed: number | undefined,
): 412 | 304 | undefined {
  const headers = headerMap(event)
  const ifMatch = allHeaders(headers, 'if-match')
  if (ifMatch.length > 0) {
    if (!tagsIn(ifMatch).some(each => each === '*' || each === tag)) return 412
  } else if (changed !== undefined && changed > dateOf(event, 'if-unmodified-since')) return 412
  const ifNoneMatch = allHeaders(headers, 'if-none-match')
  if (ifNoneMatch.length > 0) {
    // This comparison is weak, because compress() makes tags weak.
    return tagsIn(ifNoneMatch).some(each => each === '*' || each.replace(/^W\//, '') === tag)
      ? 304
      : undefined
  }
  return changed !== undefined && changed <= dateOf(event, 'if-modified-since') ? 304 : undefined
}

function tagsIn(lists: readonly string[]): readonly string[] {
  return lists.flatMap(list => list.split(',').map(each => each.trim()))
}

/** Returns the date in a header, or NaN when there is none, so that every comparison is false. */
function dateOf(event: LoadBalancerEvent, name: string): number {
  return Date.parse(allHeaders(headerMap(event), name)[0] ?? '')
}

/**
 * Returns the requested range, or undefined for the whole content. The answer is also the whole content if there are
 * several ranges (RFC 9110 permits this), if the range is malformed, or if the content has changed since the client got
 * it (`if-range`). A date in `if-range` is too imprecise to prove that nothing has changed.
 */
function rangeOf(
  event: LoadBalancerEvent,
  tag: string,
  size: number,
): { readonly first: number; readonly last: number } | 'unsatisfiable' | undefined {
  const headers = headerMap(event)
  const [asked, ...more] = allHeaders(headers, 'range')
  // Each repetition ends at a character that it cannot contain, so that many spaces take linear time.
  const [, from, to] = /^\s*bytes\s*=([\d\s]*)-([\d\s]*)$/i.exec(asked ?? '')?.map(each => each.trim()) ?? []
  if (from === undefined || to === undefined || more.length > 0 || /\s/.test(from + to)) return undefined
  const [expected] = allHeaders(headers, 'if-range')
  if (expected !== undefined && expected.trim() !== tag) return undefined
  const end = to === '' ? Number.POSITIVE_INFINITY : Number(to)
  // A range without a first number selects this number of bytes at the end of the file.
  if (from === '') {
    if (to === '') return undefined
    return end === 0 || size === 0 ? 'unsatisfiable' : { first: Math.max(size - end, 0), last: size - 1 }
  }
  const first = Number(from)
  if (end < first) return undefined
  return first >= size ? 'unsatisfiable' : { first, last: Math.min(end, size - 1) }
}
