const escapes = /%(?:25){0,16}([2-7][\da-f])|\\{1,16}u00([2-7][\da-f])/gi

/** The maximum number of times that a name can be escaped. */
const rounds = 4

/** Returns a name without its escapes for URLs and for JSON. */
export function unescaped(name: string): string {
  let plain = name
  for (let round = 0; round < rounds && (plain.includes('%') || plain.includes('\\u')); round++)
    plain = plain.replaceAll(escapes, character)
  return plain
}

function character(_: string, forUrls: string | undefined, inJson: string | undefined): string {
  return String.fromCharCode(Number.parseInt(forUrls ?? inJson!, 16))
}

// Letters, digits, `-` and `_` need no escape, so an escaped character of this kind may hide a name. An escaped `%` or
// `\` begins another escape.
const needless = /%(?:25|2d|5c|5f|[46][1-9a-f]|[57][\da])|\\u00(?:2d|5c|5f|3\d|[46][1-9a-f]|[57][\da])/i

/** Returns whether a string contains an escape that may hide a name. */
export function isEscaped(text: string): boolean {
  return (text.includes('%') || text.includes('\\u00')) && needless.test(text)
}

/** Returns a string without JSON escapes of letters. */
export function withPlainNames(text: string): string {
  if (!text.includes('\\u00')) return text
  return text.replaceAll(/\\{1,16}u00(2d|5f|3\d|[46][1-9a-f]|[57][\da])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Removes one level of URL escapes from a string. */
export function withoutPercents(text: string): string {
  const bytes = Buffer.from(text)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at]!
    if (byte === plus) byte = space
    else if (byte === percent) {
      const code = 16 * digit(bytes[at + 1]) + digit(bytes[at + 2])
      if (code >= 0) {
        byte = code
        at += 2
      }
    }
    bytes[length++] = byte
  }
  return bytes.toString('utf8', 0, length)
}

const [plus, percent, space] = [43, 37, 32]

/**
 * Returns the value of a hexadecimal digit. For any other character, returns a number so negative that adding a second
 * digit leaves it negative.
 */
function digit(code = 0): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1000
}
