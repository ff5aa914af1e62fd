import { domainToASCII, domainToUnicode } from 'node:url'

/** Returns the forms of a domain in lower case. A non-ASCII domain also has an ASCII form, and clients use both. */
export function domainForms(domain: string): readonly string[] {
  const plain = domain.toLowerCase()
  const other = /[^\0-\x7f]/.test(plain)
    ? domainToASCII(plain)
    : /(?:^|\.)xn--/.test(plain)
      ? domainToUnicode(plain)
      : ''
  return other === '' || other === plain ? [plain] : [plain, other]
}
