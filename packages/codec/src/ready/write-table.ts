import { inWords, valuesInWords } from '../check/words.ts'
import { acceptsUndefined } from '../guard/generate.ts'
import type { Codec, Presence } from '../io-ts/codec-structure.ts'
import { isConfidential } from '../io-ts/confidential.ts'
import { structure } from '../io-ts/structure.ts'
import { type Node, presences } from './table.ts'

/** Thrown for a codec that cannot be written as data. The message names the codec and the reason. */
export class UnwritableError extends TypeError {
  override readonly name = 'UnwritableError'
}

/** A table under construction. */
export interface TableWriter {
  /** The nodes so far. Equal nodes are written only once. */
  readonly nodes: readonly Node[]
  readonly conditions: readonly ((value: unknown) => unknown)[]
  /**
   * Adds a codec, and returns the position of its node.
   * @throws UnwritableError
   */
  add(codec: Codec): number
}

const marks = Object.fromEntries(Object.entries(presences).map(([mark, presence]) => [presence, mark]))

/** Starts a table for codecs that only check values. Such a codec neither transforms values nor refers to itself. */
export function tableWriter(): TableWriter {
  const nodes: Node[] = []
  const positions = new Map<string, number>()
  const conditions: ((value: unknown) => unknown)[] = []

  function put(node: Node): number {
    const text = JSON.stringify(node)
    const position = positions.get(text) ?? nodes.push(node) - 1
    positions.set(text, position)
    return position
  }

  function add(codec: Codec): number {
    const position = put(nodeOf(codec))
    return isConfidential(codec) ? put(['confidential', position]) : position
  }

  function nodeOf(codec: Codec): Node {
    const shape = structure(codec)
    const { parts } = shape
    const words = inWords(codec)
    switch (shape.kind) {
      case 'any':
        return ['any']
      case 'typeof':
        return shape.type
      case 'oneOf':
        return ['one of', words, ...shape.values.map(value => writable(codec, value))]
      case 'object':
        if (shape.strips) break
        if (parts.some((part, i) => shape.presence[i] === 'required-by-is' && acceptsUndefined(part)))
          refuse(codec, 'a field that may be undefined is decoded when it is absent')
        return [
          'object',
          ...shape.names.flatMap((name, i) => [mark(shape.presence[i]!) + name, add(parts[i]!)]),
        ]
      case 'record':
        if (shape.strips || shape.arrays) break
        return ['record', add(parts[0]!)]
      case 'array':
        return parts[0] ? ['array', add(parts[0])] : ['array']
      case 'all':
      case 'some':
        return [shape.kind, words, ...parts.map(add)]
      case 'tagged': {
        const branches = parts.map((part, i) => {
          const values = shape.values[i]!.map(value => writable(codec, value))
          return [add(part), ...values] as const
        })
        return ['tagged', valuesInWords(shape.values.flat()), shape.tag, ...branches]
      }
      case 'refinement': {
        const known = conditions.indexOf(shape.predicate)
        const condition = known < 0 ? conditions.push(shape.predicate) - 1 : known
        return ['where', words, add(parts[0]!), condition]
      }
      case 'same':
        if (shape.read || shape.strips) break
        return nodeOf(parts[0]!)
    }
    return refuse(
      codec,
      shape.kind === 'custom' ? 'it is a custom codec' : 'it changes values or refers to itself',
    )
  }

  return { nodes, conditions, add }
}

function mark(presence: Presence): string {
  return marks[presence]!
}

/** Refuses values that JSON cannot represent. */
function writable(codec: Codec, value: unknown): unknown {
  const isPlain = value === null || typeof value === 'string' || typeof value === 'boolean'
  if (isPlain || (Number.isFinite(value) && !Object.is(value, -0))) return value
  return refuse(codec, `JSON cannot represent ${Object.is(value, -0) ? '-0' : String(value)}`)
}

function refuse({ name }: Codec, why: string): never {
  throw new UnwritableError(`${name} cannot be compiled ahead of time, because ${why}`)
}
