/** The longest URL of a client document. */
const longest = 512

/**
 * Returns whether a text can be the URL of a client document. It uses https, or http where `mayBePrivate` allows it, has a
 * path, and has no other spelling.
 */
export function isDocumentUrl(text: string, mayBePrivate: (url: URL) => boolean): boolean {
  if (text.length > longest || !/^https?:\/\/[!$-;=?-Z_a-z~[\]%]+$/.test(text) || !URL.canParse(text))
    return false
  const url = new URL(text)
  if (url.protocol !== 'https:' && !mayBePrivate(url)) return false
  return url.href === text && url.pathname !== '/' && !/[?@#]/.test(text)
}

const form = /^(https?):\/\/(\*|(?:\*\.)?(?:[a-z\d-]+\.)*[a-z\d-]+(?::\d{1,5})?)(\/[\w.~*/%-]*)?$/

/** Returns whether a value is a pattern for the URLs of client documents. */
export function isDocumentPattern(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > longest) return false
  const [, scheme, host, path] = form.exec(value) ?? []
  if (host === undefined || (path ?? '').split('*').length > 3) return false
  // Without a path, only the pattern for every URL is a whole one.
  return (
    (scheme === 'https' || /^(?:localhost|127\.\d+\.\d+\.\d+)(?::|$)/.test(host)) &&
    (host === '*' || path !== undefined)
  )
}

/** Returns whether the URL of a client document matches a pattern. */
export function matchesPattern(pattern: string, address: string): boolean {
  const [, scheme, host = '', path = '/*'] = form.exec(pattern) ?? []
  const url = new URL(address)
  if (url.protocol !== `${scheme}:`) return false
  const isHost =
    host === '*' ||
    host === url.host ||
    (host.startsWith('*.') && url.host.length > host.length - 1 && url.host.endsWith(host.slice(1)))
  return isHost && matchesPath(path.split('*'), url.pathname)
}

/** Returns whether a pattern names the host of a URL literally, and not by `*`. */
export function namesHost(pattern: string, address: string): boolean {
  return form.exec(pattern)?.[2] === new URL(address).host
}

/** Returns whether a path has these parts in this order, with any characters between them. */
function matchesPath([first = '', ...others]: readonly string[], path: string): boolean {
  if (!path.startsWith(first)) return false
  const last = others.pop()
  if (last === undefined) return path === first
  let at = first.length
  for (const part of others) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return path.length - last.length >= at && path.endsWith(last)
}
