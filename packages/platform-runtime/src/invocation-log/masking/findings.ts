/** Replaces a secret. */
export const mark = '***'

/** What masking found in the texts of an entry. */
export interface Findings {
  /** To be masked wherever they are repeated. */
  readonly secrets: Set<string>
  /** How many values were masked. */
  masked: number
  /** Whether there were more secrets than are searched for elsewhere. */
  tooMany: boolean
  /** Steps that are left, because texts can be nested in texts. */
  steps: number
}

/** The most secrets of one text that are searched for elsewhere, and the most parts of one secret. */
const secretsAtMost = 2000
const partsAtMost = 64

/** Steps for each character of a text, and the fewest for a text. */
const stepsForEach = 6
const stepsAtLeast = 100_000

/** The fixed cost in steps of a closer look at a place. */
export const closerLook = 200

/** The findings before a text of `length` characters is read. */
export function noFindings(length: number): Findings {
  return { secrets: new Set(), masked: 0, tooMany: false, steps: stepsForEach * length + stepsAtLeast }
}

/** Remembers a value as a secret, and returns the mark; an empty value stays empty. */
export function hidden(value: string, findings: Findings): string {
  if (value === '' || value === mark) return value
  findings.masked++
  findings.steps -= closerLook
  remember(value, findings)
  return mark
}

/** The mark for a text that would take more steps than are left. */
export function hiddenRest(findings: Findings): string {
  findings.masked++
  return mark
}

// Neither statuses nor answers of yes and no: every text has some of these. The parts too: of `Bearer abc…` and of
// `session=abc…; theme=dark` the function may have said only one.
function remember(secret: string, findings: Findings): void {
  const { secrets } = findings
  if (secret.length < 4 || /^(?:true|false|null|none)$/i.test(secret)) return
  if (secrets.size >= secretsAtMost) {
    findings.tooMany ||= !secrets.has(secret)
    return
  }
  secrets.add(secret)
  if (!/[\s;=,&#?%+]/.test(secret)) return
  for (const each of [secret, decoded(secret)]) {
    for (const part of [each, ...each.split(/[\s;=,&#?]+/, partsAtMost)])
      if (part.length >= 8) secrets.add(part)
  }
}

/** Secrets as they look as they are, in JSON, in JSON inside of JSON, and in a query. */
export function spellings(secrets: Iterable<string>): readonly string[] {
  const all = new Set<string>()
  for (const secret of secrets) {
    all.add(secret)
    if (/^[\w.-]*$/.test(secret)) continue
    const quoted = JSON.stringify(secret).slice(1, -1)
    all.add(quoted).add(JSON.stringify(quoted).slice(1, -1)).add(encoded(secret))
  }
  return [...all]
}

function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** A text as part of a query; text with a lone surrogate stays unchanged. */
export function encoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return text
  }
}
