/** Returns whether all characters of a text are ASCII. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}
