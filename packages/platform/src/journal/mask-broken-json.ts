import { type Found, hidden } from './found.ts'
import { isSecretName } from './secret-name.ts'

// A name in quotes, which are escaped themselves in JSON inside of a text of JSON.
const member =
  /(\\{0,16})(["'])((?:[\w.~[\]%-]|\\{1,16}u[\da-f]{4}){1,256})\1\2(?:\s|\\{1,16}[nrt]){0,64}:(?:\s|\\{1,16}[nrt]){0,64}/gi

// In an object or a list. Its other strings are names.
const stringValue = /[^"'\\]+(?=\\{0,16}["'](?!\s*:)|$)/g

/**
 * Masks the members of objects that are called secrets in a text that has something of JSON, but cannot be read as
 * such: it ends too early, or stands among other things.
 */
export function maskBrokenJson(text: string, found: Found): string {
  let masked = ''
  let done = 0
  member.lastIndex = 0
  for (let match = member.exec(text); match !== null; match = member.exec(text)) {
    if (!isSecretName(match[3]!)) continue
    const [from, to] = valueAt(text, member.lastIndex)
    const value = text.slice(from, to)
    for (const [part] of value.matchAll(stringValue)) if (part.length >= 8) found.secrets.add(part)
    masked += text.slice(done, from) + hidden(value, found)
    done = to
    member.lastIndex = to
  }
  return masked + text.slice(done)
}

/** Where the value that starts here begins and ends, without its quotes: it ends rather too late than too early. */
function valueAt(text: string, start: number): readonly [from: number, to: number] {
  const quote = /(\\{0,16})(["'])/y
  quote.lastIndex = start
  const [open, slashes, sign] = quote.exec(text) ?? []
  if (open !== undefined) {
    const closing = new RegExp(`(?<!\\\\)${'\\\\'.repeat(slashes!.length)}${sign}`, 'g')
    closing.lastIndex = start + open.length
    const end = closing.exec(text)?.index ?? text.length
    return [start + open.length, end]
  }
  // Where an object or a list ends in a broken text cannot be told, and neither what is escaped beyond measure.
  if (/[[{\\]/.test(text[start] ?? '')) return [start, text.length]
  const literal = /null\b|[^\s,}\]"'\\&]*/y
  literal.lastIndex = start
  const value = literal.exec(text)?.[0] ?? ''
  return [start, value === 'null' ? start : start + value.length]
}
