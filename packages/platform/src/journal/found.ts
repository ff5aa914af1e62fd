/** What stands where a secret was. */
export const mark = '***'

/** The secrets that were found in a text, and how often something had to be masked. */
export interface Found {
  readonly secrets: Set<string>
  masked: number
}

/** The mark for a value, which is remembered; nothing for nothing. */
export function hidden(value: string, found: Found): string {
  if (value === '' || value === mark) return value
  found.masked++
  remember(value, found.secrets)
  return mark
}

// Neither statuses nor answers of yes and no: every text has some of these. The parts too: of `Bearer abc…` and of `session=abc…; theme=dark` the function may have said only one.
function remember(secret: string, secrets: Set<string>): void {
  if (/^(?:\d{1,3}|true|false)$/.test(secret)) return
  secrets.add(secret)
  for (const each of [secret, decoded(secret)]) {
    for (const part of [each, ...each.split(/[\s;=,&#?]+/)]) if (part.length >= 8) secrets.add(part)
  }
}

/** Secrets as they look as they are, in JSON, in JSON inside of JSON, and in a query. The longest come first. */
export function spellings(secrets: Iterable<string>): readonly string[] {
  const all = new Set<string>()
  for (const secret of secrets) {
    const quoted = JSON.stringify(secret).slice(1, -1)
    all.add(secret).add(quoted).add(JSON.stringify(quoted).slice(1, -1)).add(encoded(secret))
  }
  return [...all].sort((a, b) => b.length - a.length)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** A text as part of a query; what is no text stays as it is. */
export function encoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return text
  }
}
