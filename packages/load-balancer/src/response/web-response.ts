import type { LoadBalancerEvent } from '../contract/index.ts'
import type { Reply } from './reply.ts'
import { withOneMap } from './reply-headers.ts'
import { replyOf } from './reply-of.ts'

/** Turns the response, which may be a Web `Response`, into a reply with one header map, and then calls `next`. */
export function withReplyAsResponse<T>(
  request: { response: unknown; readonly event: LoadBalancerEvent },
  next: () => T,
): T | Promise<T> {
  const { response } = request
  if (typeof response !== 'object' || response === null) return next()
  // `Response` is tested last, because Node loads its whole Fetch API at the first use of that name.
  if ('statusCode' in response) {
    request.response = withOneMap(response as Reply, request.event)
    return next()
  }
  if (!(response instanceof Response)) return next()
  return replyOf(response).then(reply => {
    request.response = reply
    return next()
  })
}
