const onThisMachine = ['localhost', '127.0.0.1', '[::1]']

/** URL schemes that a browser would run as a script or show as content. */
const unsafe = [
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'about:',
  'filesystem:',
  'view-source:',
]

/**
 * Returns whether an address is allowed as a redirect address. Allowed schemes are https, http on this machine, and
 * custom schemes of apps. The address must not have a fragment or a password.
 */
export function isRedirectAddress(text: string): boolean {
  if (!/^[!$-;=?-Z_a-z~[\]%]+$/.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '' || unsafe.includes(protocol)) return false
  // From a page of the same scheme, a browser would read `https:app.example` as a path.
  if (/^https?:/.test(protocol) && !/^https?:\/\/[^/]/i.test(text)) return false
  if (protocol === 'http:') return onThisMachine.includes(hostname)
  return protocol !== 'https:' || /^[\w.:[\]-]+$/.test(hostname)
}

/**
 * Returns whether a redirect address leads to a program on the user's device: an app, or one with a port there. Any other
 * program on the device could be in its place.
 */
export function isOnDevice(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return true
  // Systems take the unspecified addresses for their own.
  return /^(?:\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\]|(?:127|0)(?:\.\d+){3}|(?:.+\.)?localhost)\.?$/.test(
    hostname,
  )
}

/** Returns the source expression that allows a redirect address in a Content-Security-Policy. */
export function policySource(address: string): string {
  const { protocol, origin } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol
}

/** Returns an address with parameters appended to its query. */
export function withParameters(
  address: string,
  parameters: { readonly [name: string]: string | undefined },
): string {
  const present = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  if (present.length === 0) return address
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(present)}`
}

/** Returns whether an address may be a provider's issuer. It must use https, or http on this machine. */
export function isProviderIssuer(text: string): boolean {
  return /^https?:/.test(text) && !text.includes('?') && isRedirectAddress(text)
}
