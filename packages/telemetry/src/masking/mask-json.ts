import { isErrorCode } from './error-codes.ts'
import { type Findings, hidden, mark, maskRest } from './findings.ts'
import { JsonTokens, jsonString } from './json-tokens.ts'
import type { MaskRepeats } from './mask-repeats.ts'
import { isSecretName } from './secret-name.ts'
import { unescaped } from './unescaped.ts'

/** A piece of a string, and its replacement. */
type Edit = readonly [from: number, to: number, text: string]

/** A range of a string. */
interface Span {
  readonly from: number
  readonly to: number
}

/** An object or a list that is being read. */
interface Holder {
  readonly isObject: boolean
  /** Whether everything in the object or list is a secret. */
  readonly secret: boolean
  /** The name of the member that is being read. */
  key: string
  /**
   * Whether a member such as `name` marks the member `value` of the same object as a secret.
   */
  named: boolean
  /** The position of the member `value`, if it came before `name`. */
  value: Span | undefined
  /**
   * The position of the member `body`. Its text is read when the object ends, because a later member may mark it as
   * Base64.
   */
  body: Span | undefined
  base64: boolean
  /** The number of items of a list so far. */
  items: number
  /** The first item of a list, if it is a string. */
  first: string
}

const nameKeys = /^(?:name|key|field|header|id|param|parameter|property|attribute|label)$/i
const valueKeys = /^(?:value|values|val|content|data|text|string_?value|default|default_?value)$/i

/** The maximum depth of objects and lists. */
const deepest = 5000

/** The length of the shortest string that can contain a secret, such as `pin=1`. */
const shortest = 5

/**
 * The minimum length of a single word that can be a secret, such as Base64 or an API key. Challenge codes may
 * be shorter.
 */
const shortestWord = 16
const divided = /[\s=:/<>%\\"']|CODE-/

/** Functions that mask the strings within JSON. */
export interface InnerMasks {
  readonly text: (text: string) => string
  /** Masks text that is encoded in Base64. Returns undefined if the value is not the Base64 encoding of text. */
  readonly base64: (text: string) => string | undefined
}

/**
 * Masks the secrets in JSON text and in its strings; the rest stays unchanged. The text may be a sequence of JSON
 * values, and the last one may be incomplete. Returns undefined for text that is not JSON.
 */
export function maskJsonText(text: string, findings: Findings, inner: InnerMasks): string | undefined {
  const start = /^[\s\ufeff\u00ef\u00bb\u00bf]{0,64}/.exec(text)![0].length
  const first = text.charCodeAt(start)
  if (first !== 123 && first !== 91 && first !== 34) return undefined
  return new JsonMask(text, start, findings, inner).masked()
}

class JsonMask {
  private readonly text: string
  private readonly tokens: JsonTokens
  private readonly findings: Findings
  private readonly inner: InnerMasks
  private readonly edits: Edit[] = []
  private readonly holders: Holder[] = []
  private holder: Holder | undefined = undefined

  constructor(text: string, start: number, findings: Findings, inner: InnerMasks) {
    this.text = text
    this.tokens = new JsonTokens(text, start)
    this.findings = findings
    this.inner = inner
  }

  masked(): string | undefined {
    const { text, tokens, findings, holders } = this
    for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
      if (findings.steps < 0) return JSON.stringify(maskRest(findings))
      const { start: from, end: to } = tokens
      switch (token) {
        case 'open':
          if (!this.open(from)) return JSON.stringify(maskRest(findings))
          break
        case 'close':
          if (this.holder !== undefined) this.close(this.holder)
          this.holder = holders.pop()
          break
        case 'comma':
          if (this.holder !== undefined) this.holder.items++
          break
        case 'literal':
          this.leaf(from, to, false)
          break
        case 'string':
          if (this.holder?.isObject === true && tokens.isKey())
            this.holder.key = unescaped(jsonString(text.slice(from, to))).trim()
          else this.leaf(from, to, true)
      }
    }
    if (!tokens.isJson) return undefined
    for (let each = this.holder; each !== undefined; each = holders.pop()) this.close(each)
    return edited(text, this.edits)
  }

  /** Returns whether the object or list is at a depth that is searched. */
  private open(at: number): boolean {
    const { secret = false, key = '', isObject = false, named = false } = this.holder ?? {}
    if (this.holder !== undefined) this.holders.push(this.holder)
    this.holder = {
      isObject: this.text.charCodeAt(at) === 123,
      secret: secret || (isObject && (isSecretName(key) || (named && valueKeys.test(key)))),
      key: '',
      named: false,
      value: undefined,
      body: undefined,
      base64: false,
      items: 0,
      first: '',
    }
    return this.holders.length <= deepest
  }

  private close({ body, base64 }: Holder): void {
    if (body !== undefined) this.look(body.from, body.to, base64)
  }

  private leaf(from: number, to: number, quoted: boolean): void {
    const { text, holder } = this
    const literal = quoted ? '' : text.slice(from, to)
    const isNull = literal === 'null'
    // A boolean says whether there is a secret.
    const isBoolean = literal === 'true' || literal === 'false'
    if ((isNull && !holder?.isObject) || (isBoolean && holder?.key !== 'isBase64Encoded')) return
    if (holder === undefined) {
      if (quoted) this.look(from, to)
      return
    }
    const { isObject, key } = holder
    if (holder.secret || (isObject && key !== '' && isSecretName(key))) {
      const isOrdinary = isNull || (!holder.secret && isErrorCode(key, jsonString(text.slice(from, to))))
      if (!isOrdinary) this.hide(from, to, quoted)
      return
    }
    if (isObject) {
      if (nameKeys.test(key) && quoted && isSecretName(jsonString(text.slice(from, to)))) {
        holder.named = true
        if (holder.value !== undefined) this.hide(holder.value.from, holder.value.to, true)
      } else if (valueKeys.test(key)) {
        if (holder.named) {
          if (!isNull) this.hide(from, to, quoted)
          return
        }
        if (quoted) holder.value = { from, to }
      } else if (key === 'isBase64Encoded') holder.base64 = literal === 'true'
      else if (key === 'body' && quoted) {
        holder.body = { from, to }
        return
      }
    } else if (quoted && holder.items === 0) holder.first = text.slice(from, to)
    else if (quoted && holder.items === 1 && isTuple(holder.first, text.slice(from, to))) {
      this.hide(from, to, true)
      return
    }
    if (quoted) this.look(from, to)
  }

  private look(from: number, to: number, base64 = false): void {
    const { text, inner } = this
    if (to - from < shortest || (to - from < shortestWord && !divided.test(text.slice(from, to)))) return
    const value = jsonString(text.slice(from, to))
    const masked = (base64 ? inner.base64(value) : undefined) ?? inner.text(value)
    if (masked !== value) this.edits.push([from, to, JSON.stringify(masked).slice(1, -1)])
  }

  private hide(from: number, to: number, quoted: boolean): void {
    const written = this.text.slice(from, to)
    const value = quoted ? jsonString(written) : written
    const masked = hidden(value, this.findings)
    if (masked !== value) this.edits.push([from, to, quoted ? masked : `"${masked}"`])
  }
}

/**
 * Masks repetitions of secrets in the strings and numbers of JSON text. Returns undefined for text that is not JSON.
 */
export function maskRepeatsInJson(text: string, mask: MaskRepeats): string | undefined {
  // Most strings contain none of the known secrets. Searching the whole string is the fastest way to find that out.
  if (mask(text) === text) return text
  const tokens = new JsonTokens(text)
  const edits: Edit[] = []
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    const { start, end } = tokens
    const written = text.slice(start, end)
    if (token === 'literal' && mask(written) !== written) edits.push([start, end, JSON.stringify(mark)])
    if (token !== 'string' || tokens.isKey()) continue
    const value = jsonString(written)
    const masked = mask(value)
    if (masked !== value) edits.push([start, end, JSON.stringify(masked).slice(1, -1)])
  }
  return tokens.isJson ? edited(text, edits) : undefined
}

/**
 * Returns whether two strings in a list are the name of a secret header and its value. A plain lower-case word does not
 * count as the value of a secret header.
 */
function isTuple(name: string, value: string): boolean {
  return /[\d\sA-Z]/.test(value) && isSecretName(name)
}

function edited(text: string, edits: Edit[]): string {
  if (edits.length === 0) return text
  // Most replacements are already in order. If two of them replace the same piece, the later one is used.
  edits.sort((a, b) => a[0] - b[0])
  const parts: string[] = []
  let done = 0
  for (const [position, [from, to, by]] of edits.entries()) {
    if (edits[position + 1]?.[0] === from) continue
    parts.push(text.slice(done, from), by)
    done = to
  }
  parts.push(text.slice(done))
  return parts.join('')
}
