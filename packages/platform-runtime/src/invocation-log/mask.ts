import { closerLook, type Found, hiddenRest, mark, nothingFound } from './found.ts'
import { maskJsonText } from './mask-json.ts'
import { maskParts } from './mask-parts.ts'
import { maskInText } from './mask-text.ts'
import { nextSecretName } from './secret-name.ts'
import { hasSecretShape } from './secret-shape.ts'
import { isEscaped, withPlainNames } from './unescaped.ts'

/** A text without its secrets, and what they were. */
export interface Masked {
  readonly text: string
  /** What was masked, and longer parts of it, for finding it again elsewhere. Never stored. */
  readonly secrets: ReadonlySet<string>
  /** Whether there were more of them. */
  readonly tooMany: boolean
}

/** Shortest text in which something can be found, such as `pin=1`. */
const shortest = 5

/** Texts in texts that are opened. */
const depthLimit = 16

/** Masks secrets in a text of any kind: JSON, which stays JSON, forms, headers, lines that a function wrote. */
export function maskText(text: string): Masked {
  const found = nothingFound(text.length)
  return masked(maskAny(text, found, 0), found)
}

/** Masks secrets in an event. One that is no JSON is masked as a whole: the invocation log has to send it again. */
export function maskJson(json: string): Masked {
  const found = nothingFound(json.length)
  return masked(mayHoldSecret(json) ? (maskWhole(json, found, 0) ?? JSON.stringify(mark)) : json, found)
}

function masked(text: string, { secrets, tooMany }: Found): Masked {
  return { text, secrets, tooMany }
}

/**
 * Whether there may be a secret in a text. It is said too often rather than not often enough, and at once where it
 * is not so, which is nearly always.
 */
export function mayHoldSecret(text: string): boolean {
  if (text.length < shortest) return false
  return (
    nextSecretName(text, 0) !== undefined ||
    hasSecretShape(text) ||
    isEscaped(text) ||
    /isBase64Encoded\\{0,16}":\s{0,8}true/.test(text)
  )
}

/** Masks a text of whatever kind it may be. */
function maskAny(text: string, found: Found, depth: number): string {
  found.steps -= text.length
  if (found.steps < 0) return hiddenRest(found)
  if (!mayHoldSecret(text)) return text
  found.steps -= text.length + 4 * closerLook
  if (depth >= depthLimit || found.steps < 0) return hiddenRest(found)
  const whole = maskWhole(text, found, depth)
  if (whole !== undefined) return whole
  const again = (inner: string) => maskAny(inner, found, depth + 1)
  const until = found.masked
  const plain = withPlainNames(text)
  const shown = maskParts(plain, found, again) ?? maskInText(plain, found, again)
  return found.masked === until ? text : shown
}

/** Masks a text that is JSON. Undefined for one that is not. */
function maskWhole(text: string, found: Found, depth: number): string | undefined {
  return maskJsonText(text, found, {
    text: inner => maskAny(inner, found, depth + 1),
    base64: body => maskBase64(body, found, depth + 1),
  })
}

/** Undefined for what is not the Base64 that it is said to be, or has nothing to mask in it. */
function maskBase64(body: string, found: Found, depth: number): string | undefined {
  const text = Buffer.from(body, 'base64').toString('latin1')
  const inside: Found = { ...found, secrets: new Set(), masked: 0 }
  const shown = maskAny(text, inside, depth)
  found.steps = inside.steps
  found.tooMany = inside.tooMany
  if (shown === text) return undefined
  found.masked += inside.masked
  // What was found here are bytes, and elsewhere it is repeated as text.
  for (const secret of inside.secrets) found.secrets.add(secret).add(Buffer.from(secret, 'latin1').toString())
  return Buffer.from(shown, 'latin1').toString('base64')
}
