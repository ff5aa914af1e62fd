const longest = 300

/** Prepares text from outside for a sentence: joins its lines and truncates it to a readable length. */
export function sentence(text: string): string {
  const line = Array.from(
    text
      .slice(0, 4 * longest)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  )
  return line.length > longest ? `${line.slice(0, longest).join('')}…` : line.join('')
}
