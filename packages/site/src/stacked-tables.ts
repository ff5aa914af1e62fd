import type { MarkdownRenderer } from 'vitepress'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/**
 * Lets the rows of wide tables stand as blocks on narrow screens, where site.css writes the heading of its column before
 * each cell. Tables of two columns fit, and those of figures are compared by columns, so both stay as they are.
 */
export function stackTables(tokens: readonly Token[]): void {
  for (const [start, table] of tokens.entries()) {
    if (table.type !== 'table_open') continue
    const end = tokens.findIndex(({ type }, index) => index > start && type === 'thead_close')
    const head = tokens.slice(start, end)
    const headings = head
      .filter(({ type }) => type === 'inline')
      .map(({ children }) => (children ?? []).map(({ content }) => content).join(''))
    const hasFigures = head.some(token => token.attrGet('style')?.includes('right'))
    if (headings.length < 3 || hasFigures) continue
    table.attrSet('class', 'stacked')
    table.attrSet('style', headings.map((each, index) => `--column-${index + 1}: ${label(each)}`).join('; '))
  }
}

/** Returns a heading as a text of CSS. */
function label(heading: string): string {
  return heading === '' ? "''" : `'${heading.replaceAll(/[\\';]/g, '\\$&')}: '`
}
