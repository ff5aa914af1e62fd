/** Text without half characters, which `encodeURIComponent` throws at: each becomes U+FFFD. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}
