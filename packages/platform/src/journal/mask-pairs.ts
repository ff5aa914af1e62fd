import { encoded, type Found, hidden } from './found.ts'
import { isSecretName, isSuspicious, unescaped } from './secret-name.ts'

const name = String.raw`(?:[\w.~[\]-]|%[\da-f]{2}){1,128}`
const ofText = new RegExp(String.raw`(^|[^\w.~[\]%-])(${name})=([^&#\s"'<>\\]*)`, 'gi')
const ofForm = new RegExp(String.raw`(^|[&?#;])(\s*${name}\s*)=([^&]*)`, 'gi')

/**
 * Masks what is called a secret in forms, and in the queries of addresses, wherever these stand in a text. A value
 * may be a text again, such as an address with a query of its own.
 */
export function maskPairs(text: string, found: Found, again: (text: string) => string): string {
  // In a form a value goes on to the next `&`, whatever is in it; in a text an address is over at a blank.
  const pairs = /^\s*[\w.~[\]%-]+=/.test(text) ? ofForm : ofText
  return text.replaceAll(pairs, (whole: string, start: string, key: string, value: string) => {
    if (isSecretName(key) || (start === '\\' && isSecretName(key.slice(1)))) {
      return `${start}${key}=${hidden(value, found)}`
    }
    if (!isSuspicious(value)) return whole
    const plain = unescaped(value)
    const masked = again(plain)
    if (masked === plain) return whole
    return `${start}${key}=${plain === value ? masked : encoded(masked)}`
  })
}
