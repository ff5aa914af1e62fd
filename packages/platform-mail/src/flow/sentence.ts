const longest = 300

/** Makes foreign text fit into a sentence: on one line, and cut to a readable length. */
export function sentence(text: string): string {
  const line = Array.from(
    text
      .slice(0, 4 * longest)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  )
  return line.length > longest ? `${line.slice(0, longest).join('')}…` : line.join('')
}
