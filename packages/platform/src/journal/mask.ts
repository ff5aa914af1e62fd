import { isSecret, secretFields } from '@signalbox/codec'

/** A text without its secrets, and what they were. */
export interface Masked {
  readonly text: string
  /** Longer parts of what was masked, for finding it again elsewhere. Never stored. */
  readonly secrets: readonly string[]
}

const mark = '***'
const names = secretFields.map(name => name.replaceAll('-', '\\-')).join('|')

// Most events hold no secret at all, and that is told fastest from the text. A body in Base64 has to be opened.
const suspicious = new RegExp(
  `"(?:${names})\\\\*"\\s*:|(?:[?&"]|form-data; name=\\\\*")(?:${names})(?:=|\\\\*")|"isBase64Encoded":\\s*true`,
  'i',
)
const formField = new RegExp(`(^|&)(${names})=[^&]*`, 'gi')
const partOfForm = new RegExp(
  `(name="(?:${names})"[^\\r\\n]*\\r?\\n(?:[^\\r\\n]+\\r?\\n)*\\r?\\n)[^\\r\\n]*`,
  'gi',
)

/** Masks the values of secret fields in JSON text, and in the bodies that it carries: JSON, forms, Base64 of these. */
export function maskJson(json: string): Masked {
  if (!suspicious.test(json)) return { text: json, secrets: [] }
  const found = new Set<string>()
  try {
    const masked = maskValue(JSON.parse(json), found)
    return found.size === 0
      ? { text: json, secrets: [] }
      : { text: JSON.stringify(masked), secrets: [...found] }
  } catch {
    // Neither readable nor free of suspicion.
    return { text: JSON.stringify(mark), secrets: [] }
  }
}

/** Masks secrets wherever they are repeated. */
export function maskRepeats(text: string, secrets: readonly string[]): string {
  let masked = text
  for (const secret of secrets) masked = masked.replaceAll(secret, mark)
  return masked
}

function maskValue(value: unknown, found: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => maskValue(item, found))
  const { isBase64Encoded } = value as { isBase64Encoded?: unknown }
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => {
      if (isSecret(key)) return [key, hide(held, found)]
      if (key !== 'body' || typeof held !== 'string') return [key, maskValue(held, found)]
      return [key, isBase64Encoded === true ? maskBase64(held, found) : maskBody(held, found)]
    }),
  )
}

function hide(value: unknown, found: Set<string>): unknown {
  if (value === null || value === undefined || value === '') return value
  if (Array.isArray(value)) return value.map(item => hide(item, found))
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, hide(held, found)]))
  }
  remember(String(value), found)
  return mark
}

// The parts too: of `Bearer abc…` and of `session=abc…; theme=dark` the function may have said only one.
function remember(secret: string, found: Set<string>): void {
  found.add(secret)
  for (const part of secret.split(/[\s;=,]+/)) if (part.length >= 8) found.add(part)
}

function maskBase64(body: string, found: Set<string>): string {
  const text = Buffer.from(body, 'base64').toString('latin1')
  const masked = maskBody(text, found)
  return masked === text ? body : Buffer.from(masked, 'latin1').toString('base64')
}

function maskBody(body: string, found: Set<string>): string {
  if (/^\s*[[{]/.test(body)) {
    try {
      const before = found.size
      const masked = maskValue(JSON.parse(body), found)
      return found.size === before ? body : JSON.stringify(masked)
    } catch {
      // Not JSON after all.
    }
  }
  return body
    .replace(formField, (field, start: string, name: string) => {
      remember(field.slice(start.length + name.length + 1), found)
      return `${start}${name}=${mark}`
    })
    .replace(partOfForm, (part, head: string) => {
      remember(part.slice(head.length), found)
      return `${head}${mark}`
    })
}
