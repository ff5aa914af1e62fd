import type { Codec } from '../io-ts/codec-of.ts'
import { requireCodec } from '../io-ts/require-codec.ts'
import { isConfidential } from './confidential.ts'
import { readIoTs } from './read-io-ts.ts'
import { type Node, type NodeOf, nodesOf, type Writer, wordsOf } from './table.ts'
import { changesValues, type Structure, writtenStructure } from './written.ts'

type Read = typeof readIoTs

const declared = new WeakMap<Codec, { readonly is: unknown; readonly nodeOf: NodeOf }>()
const known = new WeakMap<Codec, Structure>()
const changes = new WeakMap<Codec, boolean>()

/** Sets the node of a codec that io-ts did not make. It is ignored once the codec’s `is` is replaced. */
export function declare(codec: Codec, nodeOf: NodeOf): void {
  declared.set(codec, { is: codec.is, nodeOf })
}

/** Returns the structure of a codec. It is cached, so codecs must not change. */
export function structureOf(codec: Codec): Structure {
  let structure = writtenStructure(codec) ?? known.get(codec)
  if (!structure) {
    structure = startStructure(codec)
    known.set(codec, structure)
  }
  return structure
}

/** Returns the structure of a codec of io-ts also where the plugin for bundlers leaves io-ts to itself. */
export function startStructure(codec: Codec, read?: Read): Structure {
  const { add, nodes, conditions, codecs } = startTable(undefined, read)
  return { root: add(codec), table: { nodes, conditions }, codecs, inWords }
}

/** Describes what a codec accepts. */
export function inWords(codec: Codec): string {
  const { table, root } = structureOf(codec)
  const nodes = nodesOf(table)
  return wordsOf(nodes, nodes[root]!)
}

/**
 * Returns whether decoding can change a value that satisfies `is`. This is so for codecs that strip fields or parse
 * strings, and for custom codecs. If the result is false, a value that the guard accepts decodes to itself.
 */
export function transforms(codec: Codec): boolean {
  let answer = changes.get(codec)
  if (answer === undefined) {
    requireCodec(codec)
    answer = !writtenStructure(codec) && changesValues(structureOf(codec))
    changes.set(codec, answer)
  }
  return answer
}

/**
 * Starts a table for one or several codecs.
 * @param keyOf returns a text that is equal for nodes that the table has once. By default, equal nodes stay apart
 */
export function startTable(
  keyOf?: (node: Node) => string,
  // The plugin for bundlers compiles codecs of io-ts, and io-ts checks the values of those that it cannot compile.
  read: Read | undefined = process.env.SIGNALBOX_CODECS === 'compiled' ? undefined : readIoTs,
): Writer & { readonly codecs: ReadonlyMap<number, Codec> } {
  const nodes: Node[] = []
  const codecs = new Map<number, Codec>()
  const positions = new Map<Codec, number>()
  const equal = new Map<string, number>()
  const writer = { nodes, conditions: [], positions, codecs, add, put }
  return writer

  function add(codec: Codec): number {
    let position = positions.get(codec)
    if (position === undefined) {
      const made = nodeOf(codec)
      position = typeof made === 'number' ? made : put(made, codec)
      if (isConfidential(codec)) position = put(['confidential', position], codec)
      positions.set(codec, position)
    }
    return position
  }

  function put(node: Node, codec: Codec): number {
    const key = keyOf?.(node)
    const known = key === undefined ? undefined : equal.get(key)
    if (known !== undefined) return known
    const position = nodes.push(node) - 1
    if (key !== undefined) equal.set(key, position)
    // Decoding may need the codec of each node.
    codecs.set(position, codec)
    return position
  }

  function nodeOf(codec: Codec): Node | number {
    const own = declared.get(codec)
    try {
      if (writtenStructure(codec)) return ['codec', inWords(codec)]
      if (own?.is === codec.is && own) return own.nodeOf(writer)
      const node = read?.(codec, writer)
      if (node !== undefined) return node
    } catch {
      // A recursive definition threw, perhaps because it is not complete yet. `is` throws the same error.
    }
    return ['codec', read ? codec.name : plainName(codec)]
  }
}

/** Describes a codec of io-ts that is not read. The names that io-ts makes of fields are long. */
function plainName({ name, _tag = '' }: Codec & { readonly _tag?: string }): string {
  if (/^(?:Interface|Partial|Exact|Strict|.*Dictionary)Type$/.test(_tag)) return 'object'
  return /ArrayType$/.test(_tag) ? 'array' : name
}
