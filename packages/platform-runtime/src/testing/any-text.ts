import fc from 'fast-check'

/**
 * Generates texts of any characters, including lone surrogates. The generator of the library takes a second to start.
 */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.nat(0x10ffff), { maxLength }).map(codes => String.fromCodePoint(...codes))
}
