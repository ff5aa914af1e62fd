const longest = 300

/** Joins the lines of a text from outside and truncates it, so that it can be part of a sentence. */
export function sentence(text: string): string {
  const line = Array.from(
    text
      .slice(0, 4 * longest)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  )
  return line.length > longest ? `${line.slice(0, longest).join('')}…` : line.join('')
}
