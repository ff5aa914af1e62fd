import type { Fields, Shape } from '../contract/index.ts'

/** A field of a table, at any depth, with a valid and an invalid value. */
export interface FieldCase {
  /** The names that lead to the field. */
  readonly path: readonly string[]
  readonly required: boolean
  readonly good: unknown
  readonly bad: unknown
  /** The path in the invalid value to what is wrong. */
  readonly within: readonly string[]
}

/** Returns a case for each field of a table, and for each field of the objects in it. */
export function fieldCases(fields: Fields, above: readonly string[] = []): readonly FieldCase[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field === undefined) return []
    const { shape, required } = field
    const path = [...above, name]
    return [{ path, required, ...valuesOf(shape) }, ...fieldCases(shape.fields ?? {}, path)]
  })
}

function valuesOf(shape: Shape<unknown>): Pick<FieldCase, 'good' | 'bad' | 'within'> {
  switch (shape.kind) {
    case 'text':
      return { good: 'text', bad: 1, within: [] }
    case 'flag':
      return { good: true, bad: 'true', within: [] }
    case 'one-of':
      return { good: shape.values!.at(-1), bad: 'something else', within: [] }
    case 'text-map':
      return { good: { a: 'b' }, bad: { a: 1 }, within: ['a'] }
    case 'claim-map':
      return { good: { a: ['b', 1, true, { c: 'd' }] }, bad: { a: null }, within: ['a'] }
    case 'json-map':
      return { good: { a: [null] }, bad: 'text', within: [] }
    case 'list': {
      const { good, bad, within } = valuesOf(shape.items!)
      return { good: [good], bad: [bad], within: ['0', ...within] }
    }
    case 'object': {
      const fields = fieldCases(shape.fields!).filter(({ path, required }) => required && path.length === 1)
      return {
        good: Object.fromEntries(fields.map(({ path, good }) => [path[0], good])),
        bad: 'text',
        within: [],
      }
    }
  }
}
