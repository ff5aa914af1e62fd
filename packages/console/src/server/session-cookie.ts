import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'

/** The cookie with the secret of a session, for pages of one origin. */
export function sessionCookie(origin: string) {
  const { port, protocol } = new URL(origin)
  const isSecure = protocol === 'https:'
  // The name contains the port, because browsers send a cookie to every port of a host. All platforms behind one load
  // balancer have the same origin.
  const name = isSecure ? `__Host-signalbox-${port || 443}` : `signalbox-${port || 80}`
  const common = { httpOnly: true, sameSite: 'Strict' } as const
  const options = isSecure ? { ...common, secure: true, path: '/' } : { ...common, path: '/console' }
  return {
    read: (c: Context): string | undefined => getCookie(c, name),
    set: (c: Context, secret: string): void => setCookie(c, name, secret, options),
    /** Lets the browser forget the secret, and returns it. */
    delete: (c: Context): string | undefined => deleteCookie(c, name, options),
  }
}
