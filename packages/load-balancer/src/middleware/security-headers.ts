import { refuseUnknownOptions } from '@signalbox/core'
import type { Reply } from '../response/reply.ts'
import { replyHeader, withHeaders } from '../response/reply-headers.ts'
import { everyReply, type HttpMiddleware, httpMiddleware } from './http-middleware.ts'

/** Safe for APIs: nothing is framed, nothing is sniffed, nothing is loaded. */
const defaults = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=15552000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** Another value for a header, or false to leave it out. */
export type SecurityHeadersOptions = { readonly [Name in keyof typeof defaults]?: string | false }

/**
 * The middleware that adds headers by which browsers guard their users. What a route sets itself stays.
 * @throws InvalidOptionError for a header that is not one of these
 */
export function securityHeaders(options: SecurityHeadersOptions = {}): HttpMiddleware {
  refuseUnknownOptions('securityHeaders()', options, Object.keys(defaults))
  // What is undefined, such as a setting that is not there, takes no guard away.
  const wanted = Object.entries(defaults)
    .map(([name, value]) => [name, options[name as keyof typeof defaults] ?? value] as const)
    .filter(([, value]) => value !== false)
  const decorate = (reply: Reply): Reply =>
    withHeaders(
      reply,
      Object.fromEntries(wanted.filter(([name]) => replyHeader(reply, name).length === 0)) as never,
    )
  return httpMiddleware('security-headers', everyReply(decorate))
}
