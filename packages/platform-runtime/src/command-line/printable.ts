/** What a terminal acts on instead of showing it, and what turns the direction of the text around it. */
const acting = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

const colorOrActing = new RegExp(`(\x1b\\[[\\d;]{0,40}m)|${acting.source}`, 'gu')

/** The text of a stranger, for a line on a terminal: whatever would act there is a picture of itself. */
export function printable(text: string): string {
  return text.replace(acting, picture)
}

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(acting, character => (character === '\n' || character === '\t' ? character : picture(character)))
}

/** What a function wrote, which may be a stranger's text. Colours stay, since functions mean them; nothing else acts. */
export function printableWriting(text: string): string {
  return text.replace(colorOrActing, (match, color?: string) =>
    color !== undefined || match === '\t' ? match : picture(match),
  )
}

/** JSON in one line that holds texts of strangers: everything that would act on a terminal is escaped. */
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
