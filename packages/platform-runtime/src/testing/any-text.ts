import fc from 'fast-check'

/** Texts of any characters, and of halves of some. Of a library's own kind the first costs a second. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.nat(0x10ffff), { maxLength }).map(codes => String.fromCodePoint(...codes))
}
