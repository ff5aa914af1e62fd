import { g, N } from './group.ts'

/** The size of an exponent in bytes. */
const size = 32

/** The factors that bytes contribute to the power, by byte position in the exponent and by byte value. */
let table: readonly (readonly bigint[])[] | undefined

/**
 * Computes g^exponent mod N for exponents below 2^256, with half the work of `power`. The base is always the same, so a
 * table of three megabytes replaces all squarings. The first call creates the table, which takes about a tenth of a
 * second. See docs/decisions/user-pools.md#the-engine.
 */
export function generatorPower(exponent: bigint): bigint {
  const hex = exponent.toString(16).padStart(size * 2, '0')
  if (hex.length > size * 2) throw new RangeError('An exponent of the generator has 256 bits at most.')
  table ??= makeTable()
  const bytes = Buffer.from(hex, 'hex')
  let result = 1n
  for (let at = 0; at < size; at++) result = (result * table[at]![bytes[at]!]!) % N
  return result
}

function makeTable(): bigint[][] {
  const rows: bigint[][] = []
  let base = g
  for (let at = 0; at < size; at++) {
    // N + 1 equals 1 modulo N, but takes as long to multiply by as any other factor. So the time does not reveal the
    // zero bytes of an exponent.
    const row = [N + 1n]
    while (row.length < 256) row.push((row.at(-1)! * base) % N)
    // The rows are in the same order as the bytes of an exponent, so the row for the last byte is made first.
    rows.unshift(row)
    base = (row.at(-1)! * base) % N
  }
  return rows
}
