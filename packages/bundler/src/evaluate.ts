import type { Expression, Node, ObjectExpression, ObjectProperty } from '@babel/types'
import * as ioTs from 'io-ts'

/** An io-ts codec. */
export type Codec = ioTs.Mixed

/**
 * Returns the value of a name in a module: `io-ts` itself, one of its exports, or a codec. Returns undefined for
 * everything else.
 */
export type Lookup = (name: string) => unknown

/** The value of an expression, or undefined if evaluating the expression would run code other than io-ts. */
export type Evaluated = { readonly value: unknown } | undefined

/** The combinators whose arguments are only codecs and plain data, not user functions. */
const combinators: ReadonlySet<unknown> = new Set([
  ioTs.type,
  ioTs.partial,
  ioTs.strict,
  ioTs.exact,
  ioTs.array,
  ioTs.readonlyArray,
  ioTs.readonly,
  ioTs.union,
  ioTs.intersection,
  ioTs.tuple,
  ioTs.record,
  ioTs.literal,
  ioTs.keyof,
])

/** Evaluates an expression of combinators, codecs and plain data. It never runs user code. */
export function evaluate(node: Node, lookup: Lookup): Evaluated {
  const plain = withoutTypes(node)
  switch (plain.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return { value: plain.value }
    case 'NullLiteral':
      return { value: null }
    case 'Identifier': {
      const value = lookup(plain.name)
      return value === undefined ? undefined : { value }
    }
    case 'MemberExpression': {
      if (plain.computed || plain.property.type !== 'Identifier') return undefined
      if (evaluate(plain.object, lookup)?.value !== ioTs) return undefined
      const value = (ioTs as Readonly<Record<string, unknown>>)[plain.property.name]
      return value === undefined ? undefined : { value }
    }
    case 'ArrayExpression': {
      const items = plain.elements.map(item => (item === null ? undefined : evaluate(item, lookup)))
      return items.every(item => item !== undefined) ? { value: items.map(({ value }) => value) } : undefined
    }
    case 'ObjectExpression':
      return objectOf(plain, lookup)
    case 'CallExpression': {
      const combine = evaluate(plain.callee, lookup)?.value
      if (!combinators.has(combine)) return undefined
      const args = plain.arguments.map(arg => evaluate(arg, lookup))
      if (!args.every(arg => arg !== undefined)) return undefined
      try {
        return { value: (combine as (...args: unknown[]) => unknown)(...args.map(({ value }) => value)) }
      } catch {
        return undefined
      }
    }
    default:
      return undefined
  }
}

/** Returns whether a value is a codec. */
export function isCodec(value: unknown): value is Codec {
  return value instanceof ioTs.Type
}

/** Returns an expression without the type assertions around it. */
export function withoutTypes(node: Node): Node {
  const isAssertion =
    node.type === 'TSAsExpression' ||
    node.type === 'TSSatisfiesExpression' ||
    node.type === 'TSNonNullExpression' ||
    node.type === 'ParenthesizedExpression'
  return isAssertion ? withoutTypes(node.expression as Expression) : node
}

/** Returns the name of a property, or undefined for a name that is computed from anything but a literal. */
function nameOf({ key, computed }: ObjectProperty): string | undefined {
  if (key.type === 'Identifier') return computed ? undefined : key.name
  return key.type === 'StringLiteral' || key.type === 'NumericLiteral' ? String(key.value) : undefined
}

function objectOf({ properties }: ObjectExpression, lookup: Lookup): Evaluated {
  const entries: [string, unknown][] = []
  for (const property of properties) {
    if (property.type !== 'ObjectProperty' || property.computed) return undefined
    const name = nameOf(property)
    const value = evaluate(property.value, lookup)
    // A literal key `__proto__` sets the prototype of the object and is no field.
    if (name === undefined || name === '__proto__' || value === undefined) return undefined
    entries.push([name, value.value])
  }
  return { value: Object.fromEntries(entries) }
}
