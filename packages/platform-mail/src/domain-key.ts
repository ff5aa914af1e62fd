import { domainToASCII } from 'node:url'

// Text that is not a domain can contain escapes and slashes, which the URL parser would interpret.
const beyondAscii = /^[\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61]+$/u

/**
 * Returns a domain in lower case and in ASCII, without a final dot. Equivalent domains have the same key, whether they
 * are in Unicode or ASCII, with composed or decomposed letters, or with any of the full stops in IDNA (RFC 5890).
 */
export function domainKey(domain: string): string {
  const ascii = beyondAscii.test(domain) ? domainToASCII(domain) : ''
  return (ascii === '' ? domain.toLowerCase() : ascii).replace(/(?<=[^.])\.$/, '')
}
