import { domainToASCII } from 'node:url'

// What is no domain would be read as a part of a URL, which has escapes and ends at a slash.
const beyondAscii = /^[\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61]+$/u

/**
 * A domain in ASCII and in lower case: the same in whatever script, composed or decomposed, with which of the full stops of
 * IDNA, and with or without one at the end it is written (RFC 5890).
 */
export function domainKey(domain: string): string {
  const ascii = beyondAscii.test(domain) ? domainToASCII(domain) : ''
  return (ascii === '' ? domain.toLowerCase() : ascii).replace(/(?<=[^.])\.$/, '')
}
