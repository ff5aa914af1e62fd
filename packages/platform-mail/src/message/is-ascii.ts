/** Returns whether a string contains only ASCII characters. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}
