import { closerLook, type Findings, maskRest, noFindings } from './findings.ts'
import { maskJsonText } from './mask-json.ts'
import { maskParts } from './mask-parts.ts'
import { maskInText } from './mask-text.ts'
import { nextSecretName } from './secret-name.ts'
import { hasSecretShape } from './secret-shape.ts'
import { isEscaped, withPlainNames } from './unescaped.ts'

/** A masked string, and the secrets that it contained. */
export interface Masked extends Pick<Findings, 'tooMany'> {
  readonly text: string
  readonly secrets: ReadonlySet<string>
}

/** The length of the shortest string that can contain a secret, such as `pin=1`. */
const shortest = 5

/** The maximum depth of nested strings. */
const depthLimit = 16

/**
 * Masks secrets in a string of any format, such as JSON, a form, headers or the output of a function. Masked JSON is
 * still valid JSON. See docs/decisions/invocation-log.md#what-counts-as-a-secret.
 */
export function maskText(text: string): Masked {
  const findings = noFindings(text.length)
  return { text: maskAny(text, findings), secrets: findings.secrets, tooMany: findings.tooMany }
}

/** Masks secrets in an event. An event that is not JSON is masked completely, because replaying it needs JSON. */
export function maskJson(json: string): Masked {
  const findings = noFindings(json.length)
  return { text: maskEvent(json, findings), secrets: findings.secrets, tooMany: findings.tooMany }
}

/** Does what `maskJson` does, and adds to findings. */
export function maskEvent(json: string, findings: Findings): string {
  if (!mayHoldSecret(json)) return json
  return maskWhole(json, findings, 0) ?? JSON.stringify(maskRest(findings))
}

/**
 * Returns whether a string may contain a secret. It may return true for a string without secrets, but never returns
 * false for a string with one. It is fast for strings without secrets, which most strings are.
 */
function mayHoldSecret(text: string): boolean {
  if (text.length < shortest) return false
  return (
    nextSecretName(text, 0) !== undefined ||
    hasSecretShape(text) ||
    isEscaped(text) ||
    /isBase64Encoded\\{0,16}":\s{0,8}true/.test(text)
  )
}

/** Does what `maskText` does, and adds to findings. */
export function maskAny(text: string, findings: Findings, depth = 0): string {
  findings.steps -= text.length
  if (findings.steps < 0) return maskRest(findings)
  if (!mayHoldSecret(text)) return text
  findings.steps -= text.length + 4 * closerLook
  if (depth >= depthLimit || findings.steps < 0) return maskRest(findings)
  const whole = maskWhole(text, findings, depth)
  if (whole !== undefined) return whole
  const again = (inner: string) => maskAny(inner, findings, depth + 1)
  const until = findings.masked
  const plain = withPlainNames(text)
  const masked = maskParts(plain, findings, again) ?? maskInText(plain, findings, again)
  return findings.masked === until ? text : masked
}

/** Masks a string that contains JSON. Returns undefined for any other string. */
function maskWhole(text: string, findings: Findings, depth: number): string | undefined {
  return maskJsonText(text, findings, {
    text: inner => maskAny(inner, findings, depth + 1),
    base64: body => maskBase64(body, findings, depth + 1),
  })
}

/** Masks the secrets in Base64. Returns undefined for invalid Base64, and for Base64 without secrets. */
function maskBase64(body: string, findings: Findings, depth: number): string | undefined {
  const text = Buffer.from(body, 'base64').toString('latin1')
  const inside: Findings = { ...findings, secrets: new Set(), masked: 0 }
  const masked = maskAny(text, inside, depth)
  findings.steps = inside.steps
  findings.tooMany = inside.tooMany
  if (masked === text) return undefined
  findings.masked += inside.masked
  // A secret that was found as bytes may be repeated as text elsewhere.
  for (const secret of inside.secrets)
    findings.secrets.add(secret).add(Buffer.from(secret, 'latin1').toString())
  return Buffer.from(masked, 'latin1').toString('base64')
}
