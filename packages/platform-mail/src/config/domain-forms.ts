import { domainToASCII, domainToUnicode } from 'node:url'

/** How a domain may be written, in lower case: one in another script has a form in ASCII, too, and clients say either. */
export function domainForms(domain: string): readonly string[] {
  const plain = domain.toLowerCase()
  const other = /[^\0-\x7f]/.test(plain)
    ? domainToASCII(plain)
    : /(?:^|\.)xn--/.test(plain)
      ? domainToUnicode(plain)
      : ''
  return other === '' || other === plain ? [plain] : [plain, other]
}
