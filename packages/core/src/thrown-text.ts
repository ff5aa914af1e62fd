import { isSecret } from '@signalbox/codec'

/** The maximum number of characters of a thrown object. */
const longest = 1000

/**
 * Describes a thrown value that is no error by its content, without secrets. It throws what a method of the value
 * throws, such as its `toJSON`.
 * @example
 * ```ts
 * import { thrownText } from '@signalbox/core/payload'
 *
 * thrownText({ status: 409, password: 'tulips' }) // '{"status":409,"password":"…"}'
 * thrownText('no total') // 'no total'
 * ```
 */
export function thrownText(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown)
  // `Response` is tested by its name, because Node loads its whole Fetch API at the first use of the class.
  if (Object.prototype.toString.call(thrown) === '[object Response]') {
    const { status, statusText } = thrown as Response
    return `a Response with status ${status}${statusText === '' ? '' : ` ${statusText}`} was thrown. Return it instead`
  }
  const text =
    JSON.stringify(thrown, (key, value) => (isSecret(key) && !isErrorCode(value) ? '…' : value)) ??
    String(thrown)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

/** Returns whether a value is the name of an error, which a field `code` often has. A code that opens something has digits. */
function isErrorCode(value: unknown): boolean {
  return (
    typeof value === 'string' && /^(?:[A-Z]\w*(?:Exception|Error)|E[A-Z]+|[A-Z]+(?:_[A-Z]+)+)$/.test(value)
  )
}
