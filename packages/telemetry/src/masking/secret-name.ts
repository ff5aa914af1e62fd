import { isSecret } from '@signalbox/codec'

// Additions to the codec's rule, which omits them to keep function bundles small: `more` matches further names of
// secrets, such as headers and settings. `about` matches names whose values only describe a secret; such values stay
// visible in the invocation log.
const more =
  /(?:(?:account|functions|license|master|recovery|service|session|shared|signing|ssh|subscription).?key|(?:activation|backup|device|email|factor|invit[a-z]{0,5}|login|user).?code|(?:backup|recovery|seed).?phrase|(?:access|api|auth|device|refresh).?token|security.?answer|mnemonic|dpop|bearer|[cx]srf|psk|hmac(?:.?sha)?|private.?key.?pem|token.?hint)s?[^a-z]*$/i
const aboutWords =
  'age algorithm arn at count domain enabled endpoint expires expiration expiry id ids length name names policy required status type types uri url version'
const alternatives = (of: (word: string) => string) => aboutWords.split(' ').map(of).join('|')
const about = new RegExp(
  `(?:(?<![A-Za-z])(?:${alternatives(word => `${word}|${word.toUpperCase()}`)})|${alternatives(word => word[0]!.toUpperCase() + word.slice(1))}|(?:next|page|continuation|sync|cancel|cursor)[_-]?[tT]oken)$`,
)
const sessionId = /sess(?:ion)?[_-]?id$/i

// Every secret name has one of these stems. Stems are searched for first, because most strings contain none. A stem
// that also begins ordinary words, such as `pass` in `passing` or `auth` in `author`, has to end the word.
const stem =
  /passw|pass.?(?:code|phrase)|pwd|credential|secret|token|authorization|signature|assertion|sess(?:ion)?.?id|saml|challenge.?param|cookie|verifier|phrase|mnemonic|dpop|bearer|[cx]srf|psk|hmac|(?:key|code|answer)s?(?![a-z])|(?:pass|otp|pin|jwt|cv[vc]|auth|sig|pw)(?:(?![a-z])|(?=code|hash|header|value))/gi

/** The decisions that were made so far, by name. They are kept because most names occur again. */
const decided = new Map<string, boolean>()
const decidedAtMost = 4096

/** The number of characters at the end of a name that decide whether it is a secret name. */
const decisive = 128

/**
 * Returns whether the invocation log masks the value of a field with this name. The rule is the codec's rule for error
 * messages with a few more names, but it shows values that only describe a secret. In `user[password]` and
 * `login.password`, the last part decides.
 */
export function isSecretName(name: string): boolean {
  stem.lastIndex = 0
  return stem.test(name) && isDecidedSecret(name)
}

/** Returns whether a name that contains a stem is a secret name. */
function isDecidedSecret(name: string): boolean {
  const known = decided.get(name)
  if (known !== undefined) return known
  const answer = decide(name.slice(-decisive))
  if (name.length <= decisive) {
    if (decided.size >= decidedAtMost) decided.clear()
    decided.set(name, answer)
  }
  return answer
}

function decide(name: string): boolean {
  const end = name.endsWith(']') ? name.length - 1 : name.length
  const start = Math.max(name.lastIndexOf('[', end - 1), name.lastIndexOf('.', end - 1)) + 1
  return isSecretPart(name) || (start < end && start > 0 && isSecretPart(name.slice(start, end)))
}

function isSecretPart(name: string): boolean {
  return (isSecret(name) && (!about.test(name) || sessionId.test(name))) || more.test(name)
}

/** A name in a string that may be a secret name, and its position. */
export interface NamePlace {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The number of characters before a stem that may belong to the name. */
const nameStart = 64

/** Returns the first secret name at or after a position in a string. Returns undefined when there is none. */
export function nextSecretName(text: string, from: number): NamePlace | undefined {
  let at = from
  for (;;) {
    stem.lastIndex = at
    const found = stem.exec(text)
    if (found === null) return undefined
    let start = found.index
    for (const least = Math.max(at, start - nameStart); start > least && isOfName(text, start - 1); ) start--
    let end = stem.lastIndex
    while (end < text.length && isOfName(text, end)) end++
    at = end
    // A name at the end of the string has no value.
    if (beforeValue[text.charCodeAt(end)] !== 1) continue
    const name = text.slice(Math.max(start, end - decisive), end)
    if (isDecidedSecret(name)) return { name, start, end }
    // The beginning of the name may belong to an escape, as in `\npin` and `%0apin`.
    const escaped = escapeLength(text, start)
    if (escaped > 0 && isDecidedSecret(name.slice(escaped)))
      return { name: name.slice(escaped), start: start + escaped, end }
  }
}

// Names consist of letters, digits and `_ - . [ ] $ ~`.
const nameCharacters = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.[\]$~-]/.test(String.fromCharCode(code)) ? 1 : 0,
)

// Before a value, there are quotes, spaces, escapes, or separators of names and values.
const beforeValue = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\s"'`\\:=<>%;]/.test(String.fromCharCode(code)) ? 1 : 0,
)

function isOfName(text: string, at: number): boolean {
  return nameCharacters[text.charCodeAt(at)] === 1
}

function escapeLength(text: string, start: number): number {
  const before = text[start - 1]
  if (before === '%') return /^[\da-f]{2}/i.test(text.slice(start, start + 2)) ? 2 : 0
  if (before !== '\\') return 0
  if (/[bfnrt]/.test(text[start]!)) return 1
  return /^u[\da-f]{4}/i.test(text.slice(start, start + 5)) ? 5 : 0
}
