import { isErrorCode } from './error-codes.ts'
import { closerLook, encoded, type Findings, hidden, maskRest } from './findings.ts'
import { nextSecretName } from './secret-name.ts'
import { maskShapes } from './secret-shape.ts'
import { textOfValue } from './secret-value.ts'
import { withoutPercents } from './unescaped.ts'

/** The length of the shortest string with escapes that can contain a secret, such as `pin%3D1`. */
const shortest = 7

const form = /^\s{0,64}[\w.~[\]%-]{1,256}=/

/**
 * Masks the secrets in a string of any format: the values of secret names, and values that look like secrets. A part
 * that is escaped for URLs or that is Base64 of JSON is masked as a separate string.
 * @param again masks such a separate string
 */
export function maskInText(text: string, findings: Findings, again: (text: string) => string): string {
  const hide = (secret: string) => hidden(secret, findings)
  const isForm = form.test(text)
  const named = maskNamed(text, findings, isForm)
  return maskEscaped(maskBase64Runs(maskShapes(named, hide), again), isForm, again)
}

function maskNamed(text: string, findings: Findings, isForm: boolean): string {
  let masked = ''
  let done = 0
  let at = 0
  for (let name = nextSecretName(text, at); name !== undefined; name = nextSecretName(text, at)) {
    at = name.end
    findings.steps -= closerLook
    // Masks the rest, because no ordinary text contains so many secret names.
    if (findings.steps < 0) return `${masked}${text.slice(done, name.start)}${maskRest(findings)}`
    const value = textOfValue(text, name, isForm)
    if (value === undefined || value.from < done) continue
    const { from, to } = value
    if (isErrorCode(name.name, text.slice(from, to))) continue
    masked += text.slice(done, from) + hiddenParts(text.slice(from, to), findings)
    done = to
    at = Math.max(at, to)
  }
  return masked + text.slice(done)
}

/**
 * Returns the mark for a value. If the value is an object, or may include text after the secret, its strings are also
 * remembered individually.
 */
function hiddenParts(value: string, findings: Findings): string {
  if (/["'\\<>]/.test(value)) for (const [part] of value.matchAll(/[^"'\\<>{}]{8,}/g)) hidden(part, findings)
  return hidden(value.trim(), findings)
}

/**
 * Masks a part that is escaped for URLs. The part is either a name with its value or a sequence of characters without
 * spaces.
 */
function maskEscaped(text: string, isForm: boolean, again: (text: string) => string): string {
  if (!text.includes('%')) return text
  return text.replaceAll(isForm ? /[^&]+/g : /[^&#?\s"'<>\\;]+/g, run => {
    const percent = run.indexOf('%')
    if (percent < 0) return run
    const equals = run.indexOf('=')
    const isPair = equals >= 0 && equals < percent
    const held = isPair ? run.slice(equals + 1) : run
    if (held.length < shortest) return run
    const plain = withoutPercents(held)
    if (plain === held) return run
    const masked = again(plain)
    if (masked === plain) return run
    return isPair ? `${run.slice(0, equals + 1)}${encoded(masked)}` : masked
  })
}

// Matches Base64 of text that begins with `{` or `[` (JSON) or with `<?xml`.
const base64 = /(?<![\w+/-])(?:e[yw]|W[3yw]|PD94)[\w+/-]{14,}={0,2}/g

function maskBase64Runs(text: string, again: (text: string) => string): string {
  return text.replaceAll(base64, run => {
    const inside = Buffer.from(run, 'base64').toString()
    const masked = again(inside)
    if (masked === inside) return run
    return Buffer.from(masked).toString(/[-_]/.test(run) ? 'base64url' : 'base64')
  })
}
