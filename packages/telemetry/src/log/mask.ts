import { isSecret as isSecretName } from '@signalbox/codec'

/** What stands in the place of a secret, as in the platform's invocation log. */
const mark = '***'

/** The maximum depth of a field, and the maximum number of characters of a text and of entries of a list or an object. */
const [deepest, longest, most] = [8, 16_384, 256]

/** The plural of a name, such as `tokens`, is the name of secrets, too. */
function isSecret(name: string): boolean {
  return isSecretName(name) || (name.endsWith('s') && isSecretName(name.slice(0, -1)))
}

/** A name before a value, as in `name=value`, `name: value` and `"name": "value"`. */
const name = /([\w.$-]{1,64})["'\\]{0,4}\s{0,4}(?:=>|[:=])\s{0,4}/g

/** A value after a name, up to what ends it. */
const value = /(?:(?:Bearer|Basic) )?[^\s"',;&})\]]+/y

/** Values that look like secrets under any name. The text of the first group stays. */
const shapes = [
  /()\beyJ[\w-]+={0,2}\.[\w-]+={0,2}\.[\w-]*={0,2}/g,
  /(:\/\/[^\s/?#"'<>@:]{0,128}:)[^\s/?#"'<>@]{1,256}(?=@)/g,
  /(\b(?:[Bb]earer|[Bb]asic) +)[\w.~+/=-]{8,}/g,
  /()\b(?:[rs]k_(?:live|test)_|gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|AIza|npm_|whsec_|(?:AKIA|ASIA)(?=[A-Z\d]{16}\b))[\w.-]{10,}/g,
  /()-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY[\s\S]*?(?:-----END[^-]*-----|$)/g,
]

/** Masks what looks like a secret in a text, which may be cut first. */
export function maskText(text: string): string {
  let masked = text.length > longest ? `${text.slice(0, longest)}…` : text
  for (const shape of shapes) masked = masked.replace(shape, `$1${mark}`)
  return maskNamed(masked)
}

function maskNamed(text: string): string {
  let masked = ''
  let done = 0
  name.lastIndex = 0
  for (let found = name.exec(text); found !== null; found = name.exec(text)) {
    if (!isSecret(found[1]!)) continue
    const from = name.lastIndex
    const to = valueEnd(text, from)
    if (to === from) continue
    masked += text.slice(done, from) + mark
    done = to
    name.lastIndex = to
  }
  return masked + text.slice(done)
}

/** Returns the end of a value. A quoted value without an end reaches to the end of the text. */
function valueEnd(text: string, from: number): number {
  const at = text[from] === '\\' ? from + 1 : from
  const quote = text[at]
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, at + 1)
    return end < 0 ? text.length : end + 1
  }
  value.lastIndex = from
  return value.test(text) ? value.lastIndex : from
}

/** Returns fields as plain data with secrets masked: by the name of a field, and inside of texts. */
export function maskFields(fields: object): { readonly [name: string]: unknown } {
  return maskObject(fields, deepest, new Set())
}

type Holders = Set<object>

function maskObject(value: object, depth: number, holders: Holders): { readonly [name: string]: unknown } {
  const entries = Object.entries(value)
  const shown = entries.slice(0, most).map(([name, each]): [string, unknown] => {
    // A boolean says whether there is a secret, and null that there is none.
    const isHidden = isSecret(name) && each !== undefined && each !== null && typeof each !== 'boolean'
    return [name, isHidden ? mark : mask(each, depth - 1, holders)]
  })
  return Object.fromEntries(
    entries.length > most ? [...shown, ['…', `${entries.length - most} more`]] : shown,
  )
}

function mask(value: unknown, depth: number, holders: Holders): unknown {
  switch (typeof value) {
    case 'string':
      return maskText(value)
    case 'bigint':
      return String(value)
    case 'object':
      return value === null ? null : maskHeld(value, depth, holders)
    case 'function':
    case 'symbol':
      return undefined
    default:
      return value
  }
}

function maskHeld(value: object, depth: number, holders: Holders): unknown {
  if (holders.has(value)) return '[circular]'
  if (depth < 0) return '[too deep]'
  holders.add(value)
  try {
    if (value instanceof Error) return maskError(value, depth, holders)
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
    if (Array.isArray(value)) {
      const shown = value.slice(0, most).map(each => mask(each, depth - 1, holders))
      return value.length > most ? [...shown, `${value.length - most} more`] : shown
    }
    const { toJSON } = value as { readonly toJSON?: unknown }
    if (typeof toJSON === 'function') return mask(toJSON.call(value), depth - 1, holders)
    const entries =
      value instanceof Map ? Object.fromEntries(textKeys(value)) : value instanceof Set ? [...value] : value
    return Array.isArray(entries) ? mask(entries, depth, holders) : maskObject(entries, depth, holders)
  } finally {
    holders.delete(value)
  }
}

function maskError(error: Error, depth: number, holders: Holders): object {
  return {
    ...maskObject({ ...error }, depth, holders),
    type: maskText(String(error.name)),
    message: maskText(String(error.message)),
    ...(typeof error.stack === 'string' && { stack: maskText(error.stack) }),
    ...(error.cause !== undefined && { cause: mask(error.cause, depth - 1, holders) }),
  }
}

/** Returns the entries of a map with the texts of its keys. A key may be an object without a text. */
function textKeys(map: ReadonlyMap<unknown, unknown>): readonly [string, unknown][] {
  return [...map].map(([name, each]) => [Object(name) === name ? '[object]' : String(name), each])
}
