import type { Presence } from '../io-ts/codec-structure.ts'

/**
 * A description of what a codec accepts, as JSON. Precompiled codecs use it to find problems. Numbers refer to other
 * nodes of the same table.
 */
export type Node =
  /** A value of this `typeof`. */
  | string
  | readonly ['any']
  /** One of these values. */
  | readonly ['one of', words: string, ...values: readonly unknown[]]
  /** An object. Each field has two entries: its name after a presence mark, and the number of its node. */
  | readonly ['object', ...fields: readonly (string | number)[]]
  /** An object with any keys. One node describes all its values. */
  | readonly ['record', values: number]
  | readonly ['array', items?: number]
  | readonly ['all', words: string, ...parts: readonly number[]]
  | readonly ['some', words: string, ...parts: readonly number[]]
  /** An object whose field `tag` selects the node that describes it. */
  | readonly ['tagged', words: string, tag: string, ...branches: readonly (readonly [number, ...unknown[]])[]]
  /** A value that another node accepts and that satisfies a condition. */
  | readonly ['where', words: string, part: number, condition: number]
  /** A value that problems do not show. */
  | readonly ['confidential', part: number]

/** The marks in a table that say whether a field must be present. */
export const presences: { readonly [mark: string]: Presence } = {
  '!': 'required',
  '=': 'required-by-is',
  '?': 'nullable',
  '-': 'optional',
}

/** The nodes of one or several codecs. */
export interface Table {
  /** The nodes as JSON, for a table without `nodes`. They are parsed at the first search for problems. */
  readonly text?: string
  /** The conditions to which the nodes of the kind `where` refer. */
  readonly conditions: readonly ((value: never) => unknown)[]
  nodes?: readonly Node[]
}

/** Returns the nodes of a table. */
export function nodesOf(table: Table): readonly Node[] {
  table.nodes ??= JSON.parse(table.text!) as readonly Node[]
  return table.nodes
}

/** Describes what a node accepts. */
export function wordsOf(nodes: readonly Node[], node: Node): string {
  if (typeof node === 'string') return node
  const [kind, second] = node
  if (kind === 'confidential') return wordsOf(nodes, nodes[second]!)
  return words[kind] ?? (second as string)
}

/** Describes what a node accepts, for each kind of node that contains no description. */
const words: { readonly [kind: string]: string } = {
  any: 'anything',
  array: 'array',
  object: 'object',
  record: 'object',
  tagged: 'object',
}
