const frame = /^\s+at /
const ofLibrary = /[\\/](?:node_modules|\.yarn)[\\/]|[( ]node:|\(<anonymous>\)$/

/** Successive lines of a log: text, or the frames of a stack that are all of libraries or all of the function's code. */
export interface StackLines {
  readonly kind: 'text' | 'own' | 'library'
  readonly lines: readonly string[]
}

/** Groups the lines of a text that may contain stacks. The frames of `node_modules` and of Node are those of libraries. */
export function stackLinesOf(text: string): readonly StackLines[] {
  const groups: { readonly kind: StackLines['kind']; readonly lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const kind = !frame.test(line) ? 'text' : ofLibrary.test(line) ? 'library' : 'own'
    const last = groups.at(-1)
    if (last?.kind === kind) last.lines.push(line)
    else groups.push({ kind, lines: [line] })
  }
  return groups
}

/** Returns the first frame of the function's own code in a log, without the spaces before it. */
export function firstOwnFrame(logs: readonly { readonly text: string }[]): string | undefined {
  for (const { text } of logs) {
    // A line of JSON contains a stack with escaped ends of lines.
    const lines = text.startsWith('{') ? text.replaceAll('\\n', '\n').replaceAll(/".*$/gm, '') : text
    const own = stackLinesOf(lines).find(({ kind }) => kind === 'own')
    if (own !== undefined) return own.lines[0]?.trim()
  }
  return undefined
}
