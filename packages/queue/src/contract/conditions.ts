/** Returns whether a string is not empty. */
export function isNotEmpty(text: string): boolean {
  return text.length > 0
}

/** Returns whether a string consists of one or more digits. */
// This is a loop, because a regular expression takes twice as long and this runs three times for every record. The loop
// runs backwards to read the length only once.
export function isDigits(text: string): boolean {
  for (let i = text.length; i > 0; ) {
    const code = text.charCodeAt(--i)
    if (code < 48 || code > 57) return false
  }
  return text.length > 0
}
