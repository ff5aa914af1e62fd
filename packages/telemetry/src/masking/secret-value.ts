import type { NamePlace } from './secret-name.ts'

/** The position of a name's value in a string. */
export interface ValuePlace {
  readonly from: number
  readonly to: number
}

const blank = String.raw`(?:\s|\\{1,16}[nrt]|&nbsp;)`
const separator = new RegExp(
  String.raw`(\\{0,16}["'${'`'}]|)\]?${blank}{0,16}(=>|:=|[:=])(${blank}{0,64})`,
  'y',
)
const quote = /(?:\\{0,16}|@)(["'`])/y
/** Matches the text before a name that is itself a value, as in `<input name="password" value="…">`. */
const beforeName =
  /(?:name|key|id|field|header|property|param|parameter|attribute)\\{0,16}["']?\s{0,4}[:=]\s{0,4}\\{0,16}["']?$/i
const valueMember =
  /(?:^|[\s,;"'<>])(?:value|values|content|data|text|string)\\{0,16}["']?\s{0,4}[:=]\s{0,4}(?:\\{0,16}["'])?/i
const nextElement = /<\\?\/[\w:]{1,32}>\s{0,64}(?:<[\w:]{1,32}(?: [^<>]{0,64})?>\s{0,64}){1,3}/y
const nothing =
  /^(?:none|null|nil|undefined|empty|missing|required|optional|invalid|valid|wrong|incorrect|expired|unknown|true|false|is|was|not|must|has|in|for|and|or)$/i
const block = /[|>][+-]?[ \t]{0,16}\r?\n((?:[ \t][^\n]*\n)*(?:[ \t][^\n]*)?)/y
const toHeaderEnd = /^(?:.*[-_])?(?:authorization|cookie)$/i
/**
 * Matches what an error says about a header at its JSON pointer, as in `/headers/set-cookie: expected one cookie, was 2
 * cookies`. Values are in quotes there, and a cookie has an equals sign: neither matches.
 */
const problem = /expected [^='`\\\r\n]{1,256}, was [^='`\\\r\n]{1,32}(?=[\\\r\n"]|$)/y

/** Patterns for the end of a value, by the form of the value. */
const ends = {
  formPair: /&|$/g,
  pair: /[&#\s"'<>\\;,)}\]|`]|$/g,
  literal: /[\s,}\]"'\\&]|$/g,
  line: /[\r\n]|\\{1,16}[rn]|$/g,
  word: /[\s,;)}\]"'<>&|]|$/g,
  tag: /[<>]|$/g,
  content: /<|$/g,
  member: /[\s,;<>{}&]|$/g,
}

/** The length of the longest ordinary word. */
const longestWord = 64

/** The number of characters around a name in which its value is searched for, if the value does not follow directly. */
const nearby = 200

/**
 * Finds the value of a secret name in a string of any format: JSON, YAML, XML, HTML, GraphQL, a header, a form, the
 * query of a URL, or a literal in a programming language. Returns undefined when the name has no value.
 * @param isForm whether the whole string is a form, in which a value extends to the next `&`
 */
export function textOfValue(
  text: string,
  { name, start, end }: NamePlace,
  isForm: boolean,
): ValuePlace | undefined {
  separator.lastIndex = end
  const found = separator.exec(text)
  if (found !== null) {
    const [, closing = '', sign, blanks = ''] = found
    const at = separator.lastIndex
    const isQuoted = closing !== ''
    return (
      quoted(text, at) ??
      bracketed(text, at, isQuoted || sign !== '=') ??
      (sign === '=' && blanks === ''
        ? { from: at, to: endOfPair(text, at, isForm) }
        : isQuoted
          ? { from: at, to: endOfLiteral(text, at) }
          : plain(text, name, start, at))
    )
  }
  return element(text, start, end) ?? besideName(text, start, end)
}

/** Finds a value in quotes. Without a closing quote, the value extends to the end of the string. */
function quoted(text: string, at: number): ValuePlace | undefined {
  quote.lastIndex = at
  const open = quote.exec(text)?.[0]
  if (open === undefined) return undefined
  const from = at + open.length
  for (let search = from; ; ) {
    const to = text.indexOf(open, search)
    if (to < 0) return { from, to: text.length }
    // A quote that is escaped once more belongs to the value.
    if (to === from || text[to - 1] !== '\\') return { from, to }
    search = to + 1
  }
}

/**
 * Finds an object or a list. If it is incomplete, its end is unknown, so the value extends to the end of the string.
 */
function bracketed(text: string, at: number, isValue: boolean): ValuePlace | undefined {
  if (!isValue || !/[[{\\]/.test(text[at] ?? '')) return undefined
  let depth = 0
  const step = /(\\{0,16})["'`]|[[\]{}]/g
  step.lastIndex = at
  for (let found = step.exec(text); found !== null; found = step.exec(text)) {
    const [sign] = found
    if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') {
      if (--depth <= 0) return { from: at, to: step.lastIndex }
    } else step.lastIndex = (quoted(text, found.index)?.to ?? text.length) + sign.length
  }
  return { from: at, to: text.length }
}

function endOfPair(text: string, at: number, isForm: boolean): number {
  return endAt(text, at, isForm ? ends.formPair : ends.pair)
}

function endOfLiteral(text: string, at: number): number {
  return endAt(text, at, ends.literal)
}

function endAt(text: string, at: number, end: RegExp): number {
  end.lastIndex = at
  return end.exec(text)!.index
}

/** Finds a value without quotes after a colon, or between spaces. */
function plain(text: string, name: string, start: number, at: number): ValuePlace | undefined {
  const before = text[start - 1] ?? ''
  // This is the name of a resource, such as `arn:cloud:secret:db`.
  if (before === ':') return undefined
  // A header in quotes, as in a curl command.
  const open = /["'`]/.test(before) ? text.indexOf(before, at) : -1
  if (open >= 0) return { from: at, to: at + endOfLine(text.slice(at, open), 0) }
  if (toHeaderEnd.test(name)) {
    problem.lastIndex = at
    if (before === '/' && problem.test(text)) return undefined
    return { from: at, to: endOfLine(text, at) }
  }
  block.lastIndex = at
  const lines = block.exec(text)
  if (lines !== null) return { from: block.lastIndex - lines[1]!.length, to: block.lastIndex }
  if (isLineStart(text, start)) return { from: at, to: endOfLine(text, at) }
  // If more than one word follows the name, this is prose.
  const wordEnd = endAt(text, at, ends.word)
  if (wordEnd - at > longestWord) return { from: at, to: wordEnd }
  const word = text.slice(at, wordEnd)
  if (nothing.test(word)) return undefined
  const isLast = wordEnd === text.length || /[\S\r\n]/.test(text[wordEnd]!)
  return isLast || /\d/.test(word) ? { from: at, to: wordEnd } : undefined
}

function endOfLine(text: string, at: number): number {
  return endAt(text, at, ends.line)
}

function isLineStart(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 32), start)
  return /(?:^|[\r\n]|\\[rn])[ \t>*+-]{0,31}(?:[\w-]{1,16}\s)?$/.test(before) && !/(?:[a-z]+) $/i.test(before)
}

/**
 * Finds the content of an element, such as `<password>…</password>`, or the rest of the text when the element is not
 * closed.
 */
function element(text: string, start: number, end: number): ValuePlace | undefined {
  const before = text[start - 1]
  if (before !== '<' && before !== ':') return undefined
  const tag = /<((?:[\w-]{1,32}:)?)$/.exec(text.slice(Math.max(0, start - 34), start))
  if (tag === null) return undefined
  const open = endAt(text, end, ends.tag)
  if (text[open] !== '>' || text[open - 1] === '/') return undefined
  const name = `/${tag[1]}${text.slice(start, end)}`
  const closing = text.indexOf(name, open)
  if (closing < 0) return { from: open + 1, to: text.length }
  // The slash is escaped in JSON.
  return { from: open + 1, to: text[closing - 1] === '\\' ? closing - 2 : closing - 1 }
}

/** Finds the value next to a name that is itself a value, as in `<input name="password" value="…">`. */
function besideName(text: string, start: number, end: number): ValuePlace | undefined {
  if (text[end] === '<') {
    nextElement.lastIndex = end
    if (!nextElement.test(text)) return undefined
    return { from: nextElement.lastIndex, to: endAt(text, nextElement.lastIndex, ends.content) }
  }
  if (!/["'=:]/.test(text[start - 1] === ' ' ? (text[start - 2] ?? '') : (text[start - 1] ?? '')))
    return undefined
  if (!beforeName.test(text.slice(Math.max(0, start - 32), start))) return undefined
  const behind = upTo(text.slice(end, end + nearby), /[<>{}]/)
  const later = valueMember.exec(behind)
  if (later !== null) {
    const at = end + later.index + later[0].length
    return { from: at, to: endOfMember(text, at, later[0]) }
  }
  const before = text.slice(Math.max(0, start - nearby), start)
  const holder = before.slice(Math.max(before.lastIndexOf('<'), before.lastIndexOf('{')) + 1)
  const earlier = valueMember.exec(holder)
  if (earlier === null) return undefined
  const at = earlier.index + earlier[0].length
  const from = start - holder.length
  return { from: from + at, to: from + endOfMember(holder, at, earlier[0]) }
}

function endOfMember(text: string, at: number, opening: string): number {
  const open = /\\{0,16}["']$/.exec(opening)?.[0]
  if (open === undefined) return endAt(text, at, ends.member)
  const to = text.indexOf(open, at)
  return to < 0 ? text.length : to
}

function upTo(text: string, end: RegExp): string {
  const at = text.search(end)
  return at < 0 ? text : text.slice(0, at)
}
