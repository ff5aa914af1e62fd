import type { LoadBalancerEvent } from '../contract/index.ts'
import type { Reply } from './reply.ts'
import { withOneMap } from './reply-headers.ts'
import { replyOf } from './reply-of.ts'

/** Turns the response, which may be a Web `Response`, into a reply with one header map, and then calls `next`. */
export function withReplyAsResponse<R extends { response: unknown; readonly event: LoadBalancerEvent }, T>(
  request: R,
  next: (request: R) => T,
): T | Promise<T> {
  const { response } = request
  if (typeof response !== 'object' || response === null) return next(request)
  // `Response` is tested last, because Node loads its whole Fetch API at the first use of that name.
  if ('statusCode' in response) {
    request.response = withOneMap(response as Reply, request.event)
    return next(request)
  }
  return response instanceof Response ? withReplyOf(response, request, next) : next(request)
}

async function withReplyOf<R extends { response: unknown }, T>(
  response: Response,
  request: R,
  next: (request: R) => T,
): Promise<T> {
  request.response = await replyOf(response)
  return next(request)
}
