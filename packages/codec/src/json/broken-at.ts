/**
 * Returns the position at which a string stops being valid JSON: the position of the first wrong character, or the
 * string's length when it ends too early. The error of JSON.parse does not always contain the position, and it quotes
 * the text.
 */
export function brokenAt(text: string): number {
  const space = /[ \t\n\r]*/y
  // The first class holds all characters from the space up, except the quote and the backslash.
  const string = /"(?:[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y
  const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  /** The closing brackets of the open arrays and objects. */
  const closers: string[] = []
  let expected: 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' = 'value'
  let at = 0

  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const skipped = pattern.test(text)
    if (skipped) at = pattern.lastIndex
    return skipped
  }

  for (;;) {
    skip(space)
    const next = text[at]
    const closer = closers.at(-1)
    if (next === undefined) return at
    if (next === closer && expected.endsWith('end')) {
      closers.pop()
      expected = 'comma or end'
    } else if (expected === 'comma or end') {
      if (next !== ',' || closer === undefined) return at
      expected = closer === '}' ? 'key' : 'value'
    } else if (expected === 'colon') {
      if (next !== ':') return at
      expected = 'value'
    } else if (next === '"') {
      skip(string)
      if (text[at] !== '"') return at
      expected = expected.startsWith('key') ? 'colon' : 'comma or end'
    } else if (expected.startsWith('key')) {
      return at
    } else if (next === '{' || next === '[') {
      closers.push(next === '{' ? '}' : ']')
      expected = next === '{' ? 'key or end' : 'value or end'
    } else {
      if (!skip(scalar)) return at
      expected = 'comma or end'
      continue
    }
    at++
  }
}
