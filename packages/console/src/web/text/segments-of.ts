/** A part of a string: characters to show unchanged, or the escapes of adjacent characters that must not be shown. */
export interface Segment {
  readonly text: string
  /** Whether `text` consists of escapes. */
  readonly isEscape: boolean
}

/**
 * Control characters, characters that change the direction of text, invisible characters, tag characters, and lone
 * surrogates. They could change how a page looks, or hide something from its reader.
 */
export const acting =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu

/**
 * Splits an untrusted string into segments. Harmless characters stay as they are, and each other character becomes an
 * escape sequence. Adjacent escapes are one segment, because a page with thousands of elements is slow. Line breaks and
 * tabs stay if `hasLines` is true.
 */
export function segmentsOf(text: string, { hasLines = false } = {}): readonly Segment[] {
  const segments: { text: string; isEscape: boolean }[] = []
  let shown = 0
  const lines = hasLines ? text.replaceAll('\r\n', '\n') : text
  for (const { 0: character, index } of lines.matchAll(acting)) {
    if (hasLines && (character === '\n' || character === '\t')) continue
    if (index > shown) segments.push({ text: lines.slice(shown, index), isEscape: false })
    const last = segments.at(-1)
    if (index === shown && last?.isEscape) last.text += escapeOf(character)
    else segments.push({ text: escapeOf(character), isEscape: true })
    shown = index + character.length
  }
  if (shown < lines.length) segments.push({ text: lines.slice(shown), isEscape: false })
  return segments
}

/** Returns an untrusted string with escapes, to use in titles and labels. */
export function plainText(text: string): string {
  return segmentsOf(text)
    .map(segment => segment.text)
    .join('')
}

const short: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\x1b': '\\e',
  '\0': '\\0',
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return short[character] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`)
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}
