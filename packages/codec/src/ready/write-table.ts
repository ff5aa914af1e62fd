import { isJson } from '../guard/generate.ts'
import type { Codec } from '../io-ts/codec-of.ts'
import { startTable } from '../structure/structure.ts'
import { acceptsUndefined, type Node } from '../structure/table.ts'
import type { Structure } from '../structure/written.ts'

/** Thrown for a codec that cannot be written as data. The message names the codec and the reason. */
export class UnwritableError extends TypeError {
  override readonly name = 'UnwritableError'
}

/** The structures of several codecs in one table. */
export interface Tables {
  readonly table: Structure['table']
  readonly roots: readonly number[]
}

/**
 * Returns the table of codecs that only check values.
 * @throws UnwritableError for a codec that changes values, refers to itself or contains a custom codec
 */
export function writeTable(codecs: readonly Codec[]): Tables {
  const { nodes, conditions, add } = startTable(keyOf)
  const roots = codecs.map(codec => {
    const before = nodes.length
    const root = add(codec)
    // The reason of an object comes before those of its fields.
    for (const node of nodes.slice(before).reverse()) {
      const reason = reasonAgainst(node, nodes)
      if (reason)
        throw new UnwritableError(`${codec.name} cannot be compiled ahead of time, because ${reason}`)
    }
    return root
  })
  return { table: { nodes, conditions }, roots }
}

function reasonAgainst(node: Node, nodes: readonly Node[]): string | undefined {
  if (typeof node === 'string') return undefined
  switch (node[0]) {
    case 'codec':
      return 'it is a custom codec'
    case 'strips':
    case 'json':
    case 'recursive':
    case 'tuple':
      return 'it changes values or refers to itself'
    case 'record':
      return node[3] ? 'it accepts arrays as objects' : undefined
    case 'one of':
    case 'tagged': {
      const value = node
        .slice(2)
        .flat()
        .find(each => !isJson(each) || Object.is(each, -0))
      return value === undefined && !(node as readonly unknown[]).includes(undefined, 2)
        ? undefined
        : `JSON cannot represent ${Object.is(value, -0) ? '-0' : String(value)}`
    }
    case 'object':
      return node.some((each, i) => `${each}`[0] === '=' && acceptsUndefined(nodes, node[i + 1] as number))
        ? 'a field that may be undefined is decoded when it is absent'
        : undefined
    default:
      return undefined
  }
}

/** Returns a text that is equal for equal nodes. Values that JSON does not have are refused. */
function keyOf(node: Node): string {
  return JSON.stringify(node, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}
