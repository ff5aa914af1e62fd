import { refuseUnknownOptions } from '@signalbox/core'
import type { Reply } from '../response/reply.ts'
import { replyHeader, withHeaders } from '../response/reply-headers.ts'
import { everyReply, type HttpMiddleware, httpMiddleware } from './http-middleware.ts'

/** Safe values for APIs. They forbid framing, content sniffing and the loading of resources. */
const defaults = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=15552000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** Values that replace the default values of the headers, or false to omit a header. */
export type SecurityHeadersOptions = { readonly [Name in keyof typeof defaults]?: string | false }

/**
 * Returns the middleware that adds headers to protect browser users. Headers that a route sets are kept.
 * @example signalbox(loadBalancer(routes)).use(securityHeaders({ 'x-frame-options': 'SAMEORIGIN' }))
 * @throws InvalidOptionError for an unknown header
 */
export function securityHeaders(options: SecurityHeadersOptions = {}): HttpMiddleware {
  refuseUnknownOptions('securityHeaders()', options, Object.keys(defaults))
  // An option that is undefined, such as an unset environment variable, means the default.
  const headers = Object.entries(defaults)
    .map(([name, value]) => [name, options[name as keyof typeof defaults] ?? value] as const)
    .filter(([, value]) => value !== false)
  const addHeaders = (reply: Reply): Reply =>
    withHeaders(
      reply,
      Object.fromEntries(headers.filter(([name]) => replyHeader(reply, name).length === 0)) as never,
    )
  return httpMiddleware('security-headers', everyReply(addHeaders))
}
