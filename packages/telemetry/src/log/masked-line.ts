import {
  mark,
  maskAny,
  maskEvent,
  maskRepeatsInJson,
  noFindings,
  repeatsOf,
  spellings,
} from '../masking/index.ts'

/** What a log line says. */
export interface Line {
  readonly message: string
  readonly fields: { readonly [name: string]: unknown }
}

/** The maximum depth of a field, and the maximum number of characters of a text and of entries of a list or an object. */
const [deepest, longest, most] = [8, 16_384, 256]

/** The number of characters in which there may be a hundred short texts, each of which takes a closer look. */
const shortTexts = 1300

/**
 * Returns a message and fields as plain data, shortened, and without their secrets: by the names of fields, inside of texts,
 * and wherever a secret that was found is repeated. The rule is that of the platform's invocation log.
 */
export function maskedLine(message: string, fields: object): Line {
  const text = shortened(message)
  const json = JSON.stringify(plainObject(fields, deepest, new Set()))
  const findings = noFindings(text.length + json.length, 1 + Math.ceil(json.length / shortTexts))
  const line = { message: maskAny(text, findings), fields: maskEvent(json, findings) }
  if (findings.secrets.size > 0) {
    const { all } = repeatsOf(spellings(findings.secrets))
    const mask = findings.tooMany ? () => mark : all
    line.message = mask(line.message)
    line.fields = maskRepeatsInJson(line.fields, mask)!
  }
  const shown: Line['fields'] | string = JSON.parse(line.fields)
  return { message: line.message, fields: typeof shown === 'string' ? { fields: shown } : shown }
}

const shortened = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text)

type Holders = Set<object>

function plainObject(value: object, depth: number, holders: Holders): object {
  const entries = Object.entries(value)
  const shown = entries
    .slice(0, most)
    .map(([name, each]): [string, unknown] => [name, plain(each, depth - 1, holders)])
  return Object.fromEntries(
    entries.length > most ? [...shown, ['…', `${entries.length - most} more`]] : shown,
  )
}

function plain(value: unknown, depth: number, holders: Holders): unknown {
  switch (typeof value) {
    case 'string':
      return shortened(value)
    case 'bigint':
      return String(value)
    case 'object':
      return value === null ? null : plainHeld(value, depth, holders)
    case 'function':
    case 'symbol':
      return undefined
    default:
      return value
  }
}

function plainHeld(value: object, depth: number, holders: Holders): unknown {
  if (holders.has(value)) return '[circular]'
  if (depth < 0) return '[too deep]'
  holders.add(value)
  try {
    if (value instanceof Error) return plainError(value, depth, holders)
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
    if (Array.isArray(value)) {
      const shown = value.slice(0, most).map(each => plain(each, depth - 1, holders))
      return value.length > most ? [...shown, `${value.length - most} more`] : shown
    }
    const { toJSON } = value as { readonly toJSON?: unknown }
    if (typeof toJSON === 'function') return plain(toJSON.call(value), depth - 1, holders)
    const entries =
      value instanceof Map ? Object.fromEntries(textKeys(value)) : value instanceof Set ? [...value] : value
    return Array.isArray(entries) ? plain(entries, depth, holders) : plainObject(entries, depth, holders)
  } finally {
    holders.delete(value)
  }
}

function plainError(error: Error, depth: number, holders: Holders): object {
  return {
    ...plainObject({ ...error }, depth, holders),
    type: shortened(String(error.name)),
    message: shortened(String(error.message)),
    ...(typeof error.stack === 'string' && { stack: shortened(error.stack) }),
    ...(error.cause !== undefined && { cause: plain(error.cause, depth - 1, holders) }),
  }
}

/** Returns the entries of a map with the texts of its keys. A key may be an object without a text. */
function textKeys(map: ReadonlyMap<unknown, unknown>): readonly [string, unknown][] {
  return [...map].map(([name, each]) => [Object(name) === name ? '[object]' : String(name), each])
}
