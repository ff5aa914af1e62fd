/** The kind of a token in JSON text. */
type JsonToken = 'string' | 'literal' | 'open' | 'close' | 'colon' | 'comma'

const literal = /(?:true|false|null|-?\d[\d.eE+-]{0,400})(?=[\s,\]}]|$)/y

/**
 * Reads the tokens of JSON text without copying them. Incomplete JSON is read to its end.
 */
export class JsonTokens {
  /** The position where the token starts. For a string, this is after its opening quote. */
  start: number
  /** The position where the token ends. For a string, this is before its closing quote. */
  end: number
  /** Whether the text read so far is JSON, complete or incomplete. */
  isJson = true
  private readonly text: string
  private at: number

  constructor(text: string, from = 0) {
    this.text = text
    this.at = from
    this.start = from
    this.end = from
  }

  /** Returns the next token. Returns undefined at the end of the text, or at a position where the text is not JSON. */
  next(): JsonToken | undefined {
    const { text } = this
    const start = afterBlanks(text, this.at)
    this.at = start + 1
    if (start >= text.length) return undefined
    this.start = start
    this.end = start + 1
    switch (text.charCodeAt(start)) {
      case 34:
        this.start = start + 1
        this.end = endOfString(text, start + 1)
        this.at = this.end + 1
        return 'string'
      case 123:
      case 91:
        return 'open'
      case 125:
      case 93:
        return 'close'
      case 58:
        return 'colon'
      case 44:
        return 'comma'
    }
    literal.lastIndex = start
    if (!literal.test(text)) {
      this.isJson = false
      return undefined
    }
    this.end = literal.lastIndex
    this.at = this.end
    return 'literal'
  }

  /** Returns whether a colon follows the string. */
  isKey(): boolean {
    this.at = afterBlanks(this.text, this.at)
    return this.text.charCodeAt(this.at) === 58
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
