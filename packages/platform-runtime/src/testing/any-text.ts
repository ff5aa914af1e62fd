import fc from 'fast-check'

/**
 * Generates strings of any characters, including lone surrogates. The generator of fast-check takes a second to start.
 */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.nat(0x10ffff), { maxLength }).map(codes => String.fromCodePoint(...codes))
}
