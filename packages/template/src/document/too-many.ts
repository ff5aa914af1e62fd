/** The greatest number of values of a template, after its aliases are replaced. */
export const mostValues = 100_000

/** The greatest number of aliases of a template. */
export const mostAliases = 1_000

/** What may be an alias. Texts can have the sign, too; after a colon, it is one of theirs, unless a quoted key ends there. */
const alias = /(?:^|[\s,[{]|["']:)\*[^\s,[\]{}]/gm

/** Returns whether a text may have more aliases than a template needs. */
export function hasTooManyAliases(text: string): boolean {
  alias.lastIndex = 0
  let count = 0
  while (count <= mostAliases && alias.test(text)) count++
  return count > mostAliases
}

/**
 * Returns whether a text has far too many values, which the YAML library would need seconds for. Knows no YAML: it counts
 * commas in brackets, and the signs before values of which a line can have many.
 */
export function hasTooManyValues(text: string): boolean {
  let brackets = 0
  let values = 0
  for (let at = 0; at < text.length && values <= mostValues; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5b || code === 0x7b) brackets++
    else if (code === 0x5d || code === 0x7d) brackets = Math.max(0, brackets - 1)
    else if (code === 0x2c) values += brackets > 0 ? 1 : 0
    else if (code === 0x2d || code === 0x3f) {
      const next = text.charCodeAt(at + 1)
      if (next === 0x20 || next === 0x09) values++
    }
  }
  return values > mostValues
}
