import fc from 'fast-check'

/** The names and the values of a head, in Latin-1. */
export type HeadOf = readonly (readonly [name: string, value: string])[]

/** Few names and values, so that heads have much in common. */
const header = fc.tuple(
  fc.constantFrom('X-Mark', 'x-mark', 'X-A', 'X-B', 'X-C'),
  fc.constantFrom('', ' ', ' one', ' two', ' two\r\n\tfolded', 'tight', ' \xc3\xa9'),
)

export const head: fc.Arbitrary<HeadOf> = fc.array(header, { maxLength: 12 })

export function mailOf(head: HeadOf, body = 'Hi!\r\n'): Buffer {
  return Buffer.from(`${head.map(([name, value]) => `${name}:${value}\r\n`).join('')}\r\n${body}`, 'latin1')
}
