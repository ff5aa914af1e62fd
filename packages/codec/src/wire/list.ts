import type { Type } from 'io-ts'
import { wireCodec } from './wire-codec.ts'

/** An array of these, for reading. */
export function list<A>(
  item: Type<A, unknown, unknown>,
  name = `list of ${item.name}`,
): Type<readonly A[], A[]> {
  return wireCodec(
    name,
    { kind: 'array', parts: [item as never] },
    u => Array.isArray(u) && u.every(item.is),
    { _tag: 'ArrayType', type: item },
  ) as never
}

/** An array of these, to write into. */
export function array<A>(item: Type<A, unknown, unknown>): Type<A[]> {
  return list(item) as never
}
