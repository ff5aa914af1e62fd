/** The kind of a token in JSON text. */
type JsonToken = 'string' | 'literal' | 'open' | 'close' | 'colon' | 'comma'

/** Reads the tokens of JSON text without copying them. */
export interface JsonTokens {
  /** Returns the next token. Returns undefined at the end of the text, or at a position where the text is not JSON. */
  readonly next: () => JsonToken | undefined
  /** The position where the token starts. For a string, this is after its opening quote. */
  readonly start: number
  /** The position where the token ends. For a string, this is before its closing quote. */
  readonly end: number
  /** Returns whether a colon follows the string. */
  readonly isKey: () => boolean
  /** Whether the text read so far is JSON, complete or incomplete. */
  readonly isJson: boolean
}

const literal = /(?:true|false|null|-?\d[\d.eE+-]{0,400})(?=[\s,\]}]|$)/y

/** Reads the tokens of a string, starting at a position. Incomplete JSON is read to its end. */
export function jsonTokens(text: string, from = 0): JsonTokens {
  let at = from
  let start = from
  let end = from
  let isJson = true

  return {
    get start() {
      return start
    },
    get end() {
      return end
    },
    get isJson() {
      return isJson
    },
    next() {
      at = afterBlanks(text, at)
      if (at >= text.length) return undefined
      start = at
      end = at + 1
      switch (text.charCodeAt(at)) {
        case 34:
          start = at + 1
          end = endOfString(text, start)
          at = end + 1
          return 'string'
        case 123:
        case 91:
          at++
          return 'open'
        case 125:
        case 93:
          at++
          return 'close'
        case 58:
          at++
          return 'colon'
        case 44:
          at++
          return 'comma'
      }
      literal.lastIndex = at
      if (!literal.test(text)) {
        isJson = false
        return undefined
      }
      end = literal.lastIndex
      at = end
      return 'literal'
    },
    isKey() {
      at = afterBlanks(text, at)
      return text.charCodeAt(at) === 58
    },
  }
}

function afterBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) break
    at++
  }
  return at
}

/** Returns the position of the closing quote of a JSON string, or of the end of the text. */
function endOfString(text: string, start: number): number {
  for (let from = start; ; ) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return text.length
    let slashes = quote
    while (slashes > start && text.charCodeAt(slashes - 1) === 92) slashes--
    if ((quote - slashes) % 2 === 0) return quote
    from = quote + 1
  }
}

/** Returns the value of a JSON string. An invalid string stays unchanged. */
export function jsonString(written: string): string {
  if (!written.includes('\\')) return written
  try {
    return JSON.parse(`"${written}"`) as string
  } catch {
    return written
  }
}
