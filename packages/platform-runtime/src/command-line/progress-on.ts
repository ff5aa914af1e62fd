/** Shows progress on a line of a terminal. Returns undefined for any other stream. */
export function progressOn(
  stream: Pick<NodeJS.WritableStream, 'write'> & { readonly isTTY?: boolean },
): ((text: string) => void) | undefined {
  if (!stream.isTTY) return undefined
  const removeLine = '\r\x1b[2K'
  return text => void stream.write(removeLine + text)
}
