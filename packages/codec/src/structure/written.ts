import type { Codec } from '../io-ts/codec-of.ts'
import { type Node, nodesOf, partsOf, type Table } from './table.ts'

/** What a codec accepts: the node of a table that describes the whole value. */
export interface Structure {
  readonly table: Table
  readonly root: number
  /** The codecs of nodes whose values only the codec can decode, by the position of the node. */
  readonly codecs?: ReadonlyMap<number, Codec>
  /** Describes what another codec accepts. Structures that were written at build need no such function. */
  readonly inWords?: (codec: Codec) => string
}

/** The method of a codec of JSON text that parses a string, or returns the reason for refusing it. */
export const reading: unique symbol = Symbol('reading')
export type Read = (text: string) => { readonly value: unknown } | { readonly refused: string }

const written = new WeakMap<Codec, Structure>()

/** Sets the structure of a codec whose guard was written when a package or a function was built. */
export function declareWritten(codec: Codec, structure: Structure): void {
  written.set(codec, structure)
}

/** Returns the structure that `declareWritten` set, or undefined for any other codec. */
export function writtenStructure(codec: Codec): Structure | undefined {
  return written.get(codec)
}

/** Returns whether decoding can change a value that the structure accepts. */
export function changesValues({ table, root, codecs }: Structure): boolean {
  return reaches(nodesOf(table), root, (node, position) => {
    if (node[0] === 'codec') return !written.has(codecs!.get(position)!)
    return node[0] === 'json' || node[0] === 'strips'
  })
}

/** Returns whether a node is, or refers to, a node that satisfies a condition. */
export function reaches(
  nodes: readonly Node[],
  root: number,
  isFound: (node: Node, position: number) => boolean,
): boolean {
  const reached = new Set([root])
  for (const position of reached) {
    if (isFound(nodes[position]!, position)) return true
    for (const part of partsOf(nodes[position]!)) reached.add(part)
  }
  return false
}
