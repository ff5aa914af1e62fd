/** Whether a text can be said to servers that know nothing beyond ASCII. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}
