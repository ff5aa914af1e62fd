/** The depth of collections that no template needs. The YAML library takes quadratic time for much deeper ones. */
export const mostDepth = 100

/** As many dashes and question marks before a value begin as many collections on one line. */
const manyOnALine = /(?:[-?:][ \t]+){25}/

/**
 * Returns whether a text may have collections in far too many collections. Knows no YAML: it counts brackets that are not
 * closed, and lines that are indented more than the line before.
 */
export function isTooDeep(text: string): boolean {
  let brackets = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5b || code === 0x7b) brackets++
    else if ((code === 0x5d || code === 0x7d) && brackets > 0) brackets--
    if (brackets > mostDepth) return true
  }
  const indents: number[] = []
  for (const line of text.split('\n')) {
    const indent = line.search(/\S/)
    if (indent < 0) continue
    while ((indents.at(-1) ?? -1) >= indent) indents.pop()
    indents.push(indent)
    if (indents.length > mostDepth || manyOnALine.test(line)) return true
  }
  return false
}
