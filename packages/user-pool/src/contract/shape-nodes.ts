import type { Node } from '@signalbox/codec/ready'
import type { Fields, Shape } from './fields/shape.ts'

/** The nodes of shapes in one table. */
export interface ShapeNodes {
  /**
   * Returns the nodes as JSON in which `{!name1}` stands for `["object","!name",1]`, because most nodes are objects.
   * `readyNodes` reads it.
   */
  readonly text: () => string
  /** The positions of the nodes of filled shapes. */
  readonly filled: readonly number[]
  /** Adds an object with these fields, and returns its position. Equal shapes have one node. */
  readonly add: (fields: Fields) => number
}

/**
 * Returns an empty table for the shapes of the contract, which describes the same rules as their codecs. Functions find
 * problems, field names and what to normalize with it.
 */
export function shapeNodes(): ShapeNodes {
  const nodes: Node[] = []
  const filled: number[] = []
  const positions = new Map<string, number>()
  return { text, filled, add: fields => put(objectOf(fields)) }

  function text(): string {
    return JSON.stringify(nodes)
      .replace(/,"([!?][A-Za-z]+)",(\d+)/g, '$1$2')
      .replace(/\["object"([^\]]*)\]/g, '{$1}')
  }

  function put(node: Node, isFilled = false): number {
    const key = JSON.stringify([node, isFilled])
    const known = positions.get(key)
    if (known !== undefined) return known
    const position = nodes.push(node) - 1
    if (isFilled) filled.push(position)
    positions.set(key, position)
    return position
  }

  function objectOf(fields: Fields): Node {
    const rows = Object.entries(fields).flatMap(([name, field]) =>
      field ? [(field.required ? '!' : '?') + name, put(nodeOf(field.shape), field.shape.filled)] : [],
    )
    return ['object', ...rows]
  }

  function nodeOf({ kind, fields = {}, items, values = [] }: Shape<unknown>): Node {
    switch (kind) {
      case 'text':
        return 'string'
      case 'flag':
        return 'boolean'
      case 'one-of': {
        const words = values.map(value => `'${value}'`).join(', ')
        return ['one of', values.length > 1 ? `one of ${words}` : words, ...values]
      }
      case 'list':
        return ['array', put(nodeOf(items!))]
      case 'text-map':
        return ['record', put('string')]
      case 'claim-map':
        return ['record', put(['where', 'JSON without null', put(['any']), 0])]
      case 'json-map':
      case 'object':
        return objectOf(fields)
    }
  }
}
