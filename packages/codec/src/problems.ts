import type { Type } from 'io-ts'
import type { Problem } from './problem.ts'
import { isSecret } from './secret.ts'

/** Lists what is wrong with a value; empty when the codec accepts it. Never throws. */
export function problems<A>(codec: Type<A, unknown, unknown>, value: unknown): readonly Problem[] {
  try {
    const result = codec.decode(value)
    if (result._tag === 'Right') return []
    return result.left.slice(0, 100).map(({ context, value: actual }) => {
      const keys: string[] = []
      for (let i = 1; i < context.length; i++) {
        const parent = (context[i - 1]!.type as { _tag?: string })._tag
        if (parent !== 'UnionType' && parent !== 'IntersectionType') keys.push(context[i]!.key)
      }
      return {
        pointer: keys.map(key => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
        expected: context.at(-1)!.type.name,
        actual: describe(actual, keys.some(isSecret)),
      }
    })
  } catch {
    return [{ pointer: '', expected: codec.name, actual: 'a value that cannot be read' }]
  }
}

function describe(value: unknown, secret: boolean): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'function' || typeof value === 'symbol' || secret) return `a ${typeof value}`
  const text = String(value)
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return typeof value === 'string' ? `string '${short}'` : `${typeof value} ${short}`
}
