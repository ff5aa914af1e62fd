import type { Node } from '@babel/types'
import * as ioTs from 'io-ts'
import { type Codec, evaluate, isCodec, type Lookup, withoutTypes } from './evaluate.ts'

/** What keeps a codec from being compiled. */
export interface Obstacle {
  /** The expression in the source code, or the combinator of io-ts. */
  readonly what: string
  /** What the author can write instead. */
  readonly advice: string
  /** The name that has no known value, if this is the obstacle. */
  readonly name?: string
}

const combinators =
  'Write it with type, partial, array, readonlyArray, union, intersection, literal, keyof, record or readonly, if you can'

/** Returns the part of an expression that cannot be evaluated. */
export function obstacleIn(node: Node, lookup: Lookup, code: string): Obstacle {
  const plain = withoutTypes(node)
  const isUnknown = (child: Node | null): child is Node =>
    child !== null && evaluate(child, lookup) === undefined
  const within = (children: readonly (Node | null)[]): Obstacle | undefined => {
    const child = children.find(isUnknown)
    return child && obstacleIn(child, lookup, code)
  }
  const here: Obstacle = { what: textOf(plain, code), advice: combinators }
  switch (plain.type) {
    case 'CallExpression': {
      const found = within(plain.arguments)
      // The arguments of other functions, such as the condition of a refinement, need not be plain data.
      return isCombinator(plain.callee, lookup) && found
        ? found
        : { ...here, what: textOf(plain.callee, code) }
    }
    case 'ArrayExpression':
      return within(plain.elements) ?? here
    case 'ObjectExpression': {
      for (const property of plain.properties) {
        if (property.type !== 'ObjectProperty' || property.computed)
          return { what: textOf(property, code), advice: 'Write each field with its name and its codec' }
        if (isUnknown(property.value)) return obstacleIn(property.value, lookup, code)
      }
      return here
    }
    case 'Identifier':
      return {
        what: plain.name,
        advice: `Make ${plain.name} a constant codec of this module, or of one that is imported by a relative path, if you can`,
        name: plain.name,
      }
    default:
      return here
  }
}

function isCombinator(callee: Node, lookup: Lookup): boolean {
  const value = evaluate(callee, lookup)?.value
  // The other functions of io-ts take functions of the user.
  return (
    typeof value === 'function' &&
    !([ioTs.refinement, ioTs.brand, ioTs.recursion] as unknown[]).includes(value)
  )
}

/** The combinators that cannot be compiled, by the tags of their codecs. */
const uncompiled: { readonly [tag: string]: Obstacle } = {
  ExactType: {
    what: 't.strict or t.exact',
    advice: 'Write t.type, which does not remove other fields, if you can',
  },
  TupleType: { what: 't.tuple', advice: 'Write t.array or t.type, if you can' },
  RefinementType: { what: 'a condition', advice: 'Write t.number instead of t.Int, if you can' },
}

/** Returns the combinator in a codec that cannot be compiled, or undefined if the reason is another one. */
export function obstacleInCodec(codec: Codec): Obstacle | undefined {
  const {
    _tag = '',
    props = {},
    types = [],
    type,
    codomain,
  } = codec as unknown as {
    readonly _tag?: string
    readonly props?: { readonly [name: string]: Codec }
    readonly types?: readonly Codec[]
    readonly type?: Codec
    readonly codomain?: Codec
  }
  if (Object.hasOwn(uncompiled, _tag)) return uncompiled[_tag]
  for (const part of [...Object.values(props), ...types, type, codomain]) {
    const found = isCodec(part) ? obstacleInCodec(part) : undefined
    if (found) return found
  }
  return undefined
}

/** Returns the source text of a node, in one line. */
function textOf(node: Node, code: string): string {
  const text = code.slice(node.start!, node.end!).replace(/\s+/g, ' ')
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
