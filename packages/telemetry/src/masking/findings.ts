/** The text that replaces a secret. */
export const mark = '***'

/** The secrets that were found in strings. */
export interface Findings {
  /** The secrets that are masked wherever they are repeated. */
  readonly secrets: Set<string>
  /** The number of masked values. */
  masked: number
  /** Whether more secrets were found than `secrets` holds. */
  tooMany: boolean
  /**
   * The number of steps that the search can still take. They limit its time, because strings can be nested in strings.
   */
  steps: number
}

/** The maximum number of secrets that are searched for in other strings. */
const secretsAtMost = 2000

/** The maximum number of parts of one secret that are searched for in other strings. */
const partsAtMost = 64

/** The number of steps for each character of a string. */
const stepsForEach = 6

/** The number of steps for each string, in addition to those for its characters. */
const stepsAtLeast = 100_000

/** The number of steps that it takes to examine one position. */
export const closerLook = 200

/**
 * Returns empty findings for strings that will be searched.
 * @param length the number of their characters
 * @param count the number of strings
 */
export function noFindings(length: number, count = 1): Findings {
  const steps = stepsForEach * length + stepsAtLeast * count
  return { secrets: new Set(), masked: 0, tooMany: false, steps }
}

/** Remembers a value as a secret, and returns the mark. An empty value stays empty. */
export function hidden(value: string, findings: Findings): string {
  if (value === '' || value === mark) return value
  findings.masked++
  findings.steps -= closerLook
  remember(value, findings)
  return mark
}

/** Returns the mark for a string that takes more steps than remain. */
export function maskRest(findings: Findings): string {
  findings.masked++
  return mark
}

// Ignores strings of fewer than four characters, such as statuses, and words such as `true`, because they occur
// everywhere. Also remembers the parts of a secret, because a function may have printed only one part of `Bearer abc…`
// or `session=abc…; theme=dark`.
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

/** Returns the forms in which secrets can appear: plain, in JSON, in JSON within JSON, and in a query. */
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

/** Encodes a string for a query. A string with a lone surrogate stays unchanged. */
export function encoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return text
  }
}
