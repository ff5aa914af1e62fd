/**
 * Returns a function that tells whether a whole text matches a pattern, in which `*` stands for any characters and `?` for
 * one. The time grows with the product of both lengths at most.
 */
export function wildcards(pattern: string): (text: string) => boolean {
  if (!/[*?]/.test(pattern)) return text => text === pattern
  const [first, ...rest] = pattern.split('*') as [string, ...string[]]
  const last = rest.pop()
  if (last === undefined) return text => text.length === first.length && isAt(text, first, 0)
  return text => {
    const end = text.length - last.length
    if (end < first.length || !isAt(text, first, 0) || !isAt(text, last, end)) return false
    let from = first.length
    for (const part of rest) {
      const at = find(text, part, from, end)
      if (at < 0) return false
      from = at + part.length
    }
    return true
  }
}

/** Returns where a part without `*` begins in a text, between two places, or -1. */
function find(text: string, part: string, from: number, end: number): number {
  if (!part.includes('?')) {
    const at = text.indexOf(part, from)
    return at >= 0 && at + part.length <= end ? at : -1
  }
  for (let at = from; at + part.length <= end; at++) if (isAt(text, part, at)) return at
  return -1
}

function isAt(text: string, part: string, at: number): boolean {
  for (let i = 0; i < part.length; i++) if (part[i] !== '?' && part[i] !== text[at + i]) return false
  return true
}
