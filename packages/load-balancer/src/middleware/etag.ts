import { createHash } from 'node:crypto'
import { headerMap } from '../request/http-request.ts'
import { allHeaders } from '../request/values.ts'
import { type Reply, replyBytes } from '../response/reply.ts'
import { replyHeader, withHeaders } from '../response/reply-headers.ts'
import { type HttpMiddleware, httpMiddleware } from './http-middleware.ts'

/**
 * Returns the middleware that adds an `etag` to responses to GET and HEAD. The tag is computed from the bytes of the
 * body. The middleware answers 304 without a body if the client has the same tag. The tag is weak, so that a compressed
 * response can keep it. A tag that a route sets is kept, and compared in the same way.
 * @example signalbox(loadBalancer(routes)).use([compress(), etag()])
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

// Returns whether one of the lists contains the tag. Weak comparison ignores the prefix W/ (RFC 9110, 13.1.2).
function isKnown(lists: readonly string[], tag: string): boolean {
  const opaque = tag.replace(/^W\//, '')
  return lists.some(list => {
    if (list.trim() === '*') return true
    // The list is searched before it is split, because it can be long and rarely contains the tag.
    return list.includes(opaque) && list.split(',').some(each => each.trim().replace(/^W\//, '') === opaque)
  })
}

// Removes the headers that describe the body, and keeps the headers that caches need.
function notModified(reply: Reply): Reply {
  const { body, isBase64Encoded, statusDescription, ...rest } = reply
  return withHeaders(
    { ...rest, statusCode: 304 },
    { 'content-type': undefined, 'content-encoding': undefined },
  )
}
