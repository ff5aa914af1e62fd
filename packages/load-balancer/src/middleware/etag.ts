import { createHash } from 'node:crypto'
import { headerMap } from '../request/http-request.ts'
import { allHeaders } from '../request/values.ts'
import { type Reply, replyBytes } from '../response/reply.ts'
import { replyHeader, withHeaders } from '../response/reply-headers.ts'
import { type HttpMiddleware, httpMiddleware } from './http-middleware.ts'

/**
 * The middleware that gives answers to GET and HEAD an `etag`, made of their bytes, and answers 304 without the
 * body when the client has these already. The tag is a weak one, since a compressed answer is the same to it. A
 * tag that a route sets itself stays, and is compared as well.
 */
export function etag(): HttpMiddleware {
  return httpMiddleware('etag', {
    after: request => {
      const { event } = request
      const reply = request.response!
      if (event.httpMethod !== 'GET' && event.httpMethod !== 'HEAD') return
      if (reply.statusCode !== 200) return
      const [own] = replyHeader(reply, 'etag')
      const tag = own ?? tagOf(replyBytes(reply))
      const tagged = own === undefined ? withHeaders(reply, { etag: tag }) : reply
      request.response = isKnown(allHeaders(headerMap(event), 'if-none-match'), tag)
        ? notModified(tagged)
        : tagged
    },
  })
}

function tagOf(content: Uint8Array): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`
}

// RFC 9110, 13.1.2: weak comparison, in which the W/ does not count.
function isKnown(lists: readonly string[], tag: string): boolean {
  const opaque = tag.replace(/^W\//, '')
  return lists.some(list => {
    if (list.trim() === '*') return true
    // Looked for before the list is taken apart, which may be long and nearly always is another's.
    return list.includes(opaque) && list.split(',').some(each => each.trim().replace(/^W\//, '') === opaque)
  })
}

// Headers that describe the body that is not sent are left out; those that say something of the cache stay.
function notModified(reply: Reply): Reply {
  const { body, isBase64Encoded, statusDescription, ...rest } = reply
  return withHeaders(
    { ...rest, statusCode: 304 },
    { 'content-type': undefined, 'content-encoding': undefined },
  )
}
