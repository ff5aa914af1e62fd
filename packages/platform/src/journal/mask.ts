import { type Found, hidden, mark, spellings } from './found.ts'
import { maskBrokenJson } from './mask-broken-json.ts'
import { maskPairs } from './mask-pairs.ts'
import { maskParts } from './mask-parts.ts'
import { maskRepeats } from './mask-repeats.ts'
import { isSecretName, isSuspicious, unescaped } from './secret-name.ts'

/** A text without its secrets, and what they were. */
export interface Masked {
  readonly text: string
  /** What was masked, and longer parts of it, for finding it again elsewhere. Never stored. */
  readonly secrets: readonly string[]
}

/** Texts in texts that are opened. */
const depthLimit = 16

/** Masks the values of secret fields in JSON text, and in the texts that it carries: JSON, forms, addresses, Base64 of these. */
export function maskJson(json: string): Masked {
  if (!isSuspicious(json)) return { text: json, secrets: [] }
  const found: Found = { secrets: new Set(), masked: 0 }
  const masked = maskWhole(json, found, 0)
  // Neither readable nor free of suspicion.
  if (masked === undefined) return { text: JSON.stringify(mark), secrets: [] }
  const secrets = spellings(found.secrets)
  return { text: maskRepeatsInJson(masked, secrets), secrets }
}

/** Masks what is called a secret in a text of any kind, such as a line that a function wrote. */
export function maskText(text: string): Masked {
  if (!isSuspicious(text)) return { text, secrets: [] }
  const found: Found = { secrets: new Set(), masked: 0 }
  const masked = maskAny(text, found, 0)
  return { text: masked, secrets: spellings(found.secrets) }
}

/** Masks secrets wherever they are repeated in JSON, which stays JSON. Only long secrets: a short one may be part of what makes it JSON. */
export function maskRepeatsInJson(json: string, secrets: readonly string[]): string {
  const masked = maskRepeats(
    json,
    secrets.filter(secret => secret.length >= 8),
  )
  if (masked === json) return json
  try {
    JSON.parse(masked)
    return masked
  } catch {
    return JSON.stringify(mark)
  }
}

function maskValue(value: unknown, found: Found, depth: number): unknown {
  if (typeof value === 'string') return maskAny(value, found, depth)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => maskValue(item, found, depth))
  const { isBase64Encoded } = value as { isBase64Encoded?: unknown }
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => {
      if (isSecretName(key)) return [key, hide(held, found)]
      if (key === 'body' && isBase64Encoded === true && typeof held === 'string')
        return [key, maskBase64(held, found, depth)]
      return [key, maskValue(held, found, depth)]
    }),
  )
}

function hide(value: unknown, found: Found): unknown {
  if (value === null || value === undefined) return value
  if (Array.isArray(value)) return value.map(item => hide(item, found))
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, hide(held, found)]))
  }
  return hidden(String(value), found)
}

function maskBase64(body: string, found: Found, depth: number): string {
  const text = Buffer.from(body, 'base64').toString('latin1')
  const inside: Found = { secrets: new Set(), masked: 0 }
  const masked = maskAny(text, inside, depth)
  // It need not be what it is said to be.
  if (masked === text) return maskAny(body, found, depth)
  found.masked += inside.masked
  // What was found here are bytes, and elsewhere it is repeated as text.
  for (const secret of inside.secrets) found.secrets.add(secret).add(Buffer.from(secret, 'latin1').toString())
  return Buffer.from(masked, 'latin1').toString('base64')
}

/** Masks a text of whatever kind it may be. */
function maskAny(text: string, found: Found, depth: number): string {
  if (!isSuspicious(text)) return text
  if (depth >= depthLimit) return hidden(text, found)
  const again = (inner: string) => maskAny(inner, found, depth + 1)
  return maskWhole(text, found, depth) ?? maskParts(text, found, again) ?? maskMixed(text, found, depth)
}

/** Masks a text that is JSON as a whole. Undefined for one that is not. */
function maskWhole(text: string, found: Found, depth: number): string | undefined {
  const start = /[^\s\ufeff\u00ef\u00bb\u00bf]/.exec(text)?.index ?? 0
  if (!/[[{"]/.test(text[start] ?? '')) return undefined
  const until = found.masked
  let again: string
  try {
    again = JSON.stringify(maskValue(JSON.parse(text.slice(start)), found, depth + 1))
  } catch {
    // It is no JSON, or goes too deep to be followed.
    return undefined
  }
  // Of a member that is there twice only the last was seen, and only that is left.
  if (strings(text) !== strings(again)) found.masked++
  return found.masked === until ? text : text.slice(0, start) + again
}

/** How many strings there are in JSON text, the names of members among them. */
function strings(json: string): number {
  return json.match(/"(?:[^"\\]|\\.)*"/g)?.length ?? 0
}

/** Masks lines of JSON, and what looks like JSON, like a form or like the query of an address in any other text. */
function maskMixed(text: string, found: Found, depth: number): string {
  const inner = (part: string) => maskAny(part, found, depth + 1)
  const masked = maskPairs(maskBrokenJson(maskLines(text, found, depth), found), found, inner)
  // It may be escaped as a whole, such as an address in the path of another.
  const plain = unescaped(masked)
  if (plain === masked) return masked
  const until = found.masked
  const again = inner(plain)
  return found.masked === until ? masked : again
}

function maskLines(text: string, found: Found, depth: number): string {
  if (!text.includes('\n')) return text
  // Lines that only look like JSON take long.
  let broken = 0
  const lines = text.split('\n').map(line => {
    if (broken > 100 || !isSuspicious(line)) return line
    const masked = maskWhole(line, found, depth)
    if (masked === undefined) broken++
    return masked ?? line
  })
  return lines.join('\n')
}
