import { type Paint, plain } from './paint.ts'

/** Control characters, and characters that change the direction of text. */
const acting = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

const colorOrActing = new RegExp(`(\x1b\\[[\\d;]{0,40}m)|${acting.source}`, 'gu')

/** Returns untrusted text for one line of a terminal. Control characters become visible symbols. */
export function printable(text: string): string {
  return text.replace(acting, picture)
}

/** Returns untrusted text for several lines of a terminal. */
export function printableLines(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(acting, character => (character === '\n' || character === '\t' ? character : picture(character)))
}

/**
 * Makes the output of a function safe to print on a terminal. Keeps its colours, unless colours are off, and replaces all
 * other control characters with symbols.
 */
export function printableWriting(text: string, paint: Paint): string {
  return text.replace(colorOrActing, (match, color?: string) => {
    if (color !== undefined) return paint === plain ? '' : color
    return match === '\t' ? match : picture(match)
  })
}

/** Returns one line of JSON for a terminal. Control characters in untrusted text are escaped. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(
    acting,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function picture(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}
