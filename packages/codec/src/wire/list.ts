import type { Type } from 'io-ts'
import { container } from './container.ts'

/**
 * Returns a codec for read-only arrays whose items match a codec.
 * @example
 * ```ts
 * import { list, string } from '@signalbox/codec/wire'
 *
 * list(string).is(['a', 'b']) // true
 * list(string, 'names').name // 'names'
 * ```
 */
export function list<A, O = A>(
  item: Type<A, O, unknown>,
  name = `list of ${item.name}`,
): Type<readonly A[], O[], unknown> {
  const codec = container<readonly A[], O[]>(
    name,
    ({ add }) => ['array', add(item as never)],
    Array.isArray,
    u => Array.isArray(u) && u.every(item.is),
    items => [...(items as unknown[]).keys()].map(position => ({ key: `${position}`, codec: item as never })),
  )
  return Object.assign(codec, { _tag: 'ArrayType', type: item })
}

/**
 * Returns a codec for mutable arrays whose items match a codec.
 * @example
 * ```ts
 * import { array, string } from '@signalbox/codec/wire'
 *
 * array(string).is(['a', 'b']) // true
 * array(string).is(['a', 1]) // false
 * ```
 */
export function array<A, O = A>(item: Type<A, O, unknown>): Type<A[], O[], unknown> {
  return list(item) as never
}
