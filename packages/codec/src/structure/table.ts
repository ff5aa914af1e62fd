import type { Codec } from '../io-ts/codec-of.ts'

/**
 * What values of a type are, as data. Guards are generated from nodes, problems are found with them, and JSON Schemas
 * are made of them. Numbers refer to other nodes of the same table.
 */
export type Node =
  /** A value of this `typeof`. */
  | string
  | readonly ['any']
  /** A value that is equal (===) to one of these. */
  | readonly ['one of', words: string, ...values: readonly unknown[]]
  /** An object, not an array. Each field has two entries: its name after a mark (see `Mark`), and the number of its node. */
  | readonly ['object', ...fields: readonly (string | number)[]]
  /**
   * An object with any keys. One node describes the values of the keys that `names` accepts; other keys may have any
   * value. With `arrays`, any array is accepted, too.
   */
  | readonly ['record', values: number, names?: number | undefined, arrays?: boolean]
  | readonly ['array', items?: number]
  | readonly ['tuple', words: string, ...parts: readonly number[]]
  | readonly ['all', words: string, ...parts: readonly number[]]
  | readonly ['some', words: string, ...parts: readonly number[]]
  /** An object whose field `tag` selects the node that describes it. */
  | readonly ['tagged', words: string, tag: string, ...branches: readonly (readonly [number, ...unknown[]])[]]
  /** A value that another node accepts and that satisfies a condition. */
  | readonly ['where', words: string, part: number, condition: number]
  /** A value that problems do not show. */
  | readonly ['confidential', part: number]
  /** A value from which decoding removes fields. */
  | readonly ['strips', part: number]
  /** A value that decoding reads from JSON text. */
  | readonly ['json', part: number]
  /** A node that contains itself. */
  | readonly ['recursive', name: string, part: number]
  /** A value that only a codec knows: a custom codec, or a codec whose `is` was replaced. */
  | readonly ['codec', name: string]

/**
 * The first character of a field's name. `!`: required. `=`: required by `is`, while decoding takes an absent field for
 * undefined, as in `t.type`. `?`: may be absent or null. `-`: may be absent.
 */
export type Mark = '!' | '=' | '?' | '-'

/** The nodes of one or several codecs. */
export interface Table {
  /** The nodes as JSON, for a table without `nodes`. They are parsed at the first search for problems. */
  readonly text?: string
  /** The conditions to which the nodes of the kind `where` refer. */
  readonly conditions: readonly ((value: never) => unknown)[]
  nodes?: readonly Node[]
}

/** Adds the nodes of codecs to a table. */
export interface Writer {
  readonly nodes: Node[]
  readonly conditions: ((value: never) => unknown)[]
  /** The positions of the codecs that were added. */
  readonly positions: Map<Codec, number>
  /** Adds a codec, and returns the position of its node. */
  add(codec: Codec): number
  /** Adds a node of a codec. */
  put(node: Node, codec: Codec): number
}

/** Returns the node of a codec, or the position of a node that was added. */
export type NodeOf = (writer: Writer) => Node | number

/** Returns the nodes of a table. */
export function nodesOf(table: Table): readonly Node[] {
  table.nodes ??= JSON.parse(table.text!) as readonly Node[]
  return table.nodes
}

/** Returns the positions of the nodes to which a node refers. */
export function partsOf(node: Node): readonly number[] {
  if (typeof node === 'string') return []
  switch (node[0]) {
    case 'tagged':
      return (node.slice(3) as (readonly [number])[]).map(([part]) => part)
    case 'one of':
      return []
    case 'where':
      return [node[2]]
    default:
      return node.filter(each => typeof each === 'number')
  }
}

/** The maximum number of nodes that only refer to each other. A longer chain is treated as circular. */
export const mostHops = 1000

/** Returns whether a node can accept undefined. */
export function acceptsUndefined(nodes: readonly Node[], position: number, hops = 0): boolean {
  const node = nodes[position]!
  if (typeof node === 'string') return node === 'undefined'
  const accepts = (part: number) => acceptsUndefined(nodes, part, hops + 1)
  switch (node[0]) {
    case 'any':
    case 'codec':
    case 'recursive':
      return true
    case 'one of':
      return node.includes(undefined, 2)
    case 'some':
      return partsOf(node).some(accepts)
    case 'all':
    case 'where':
    case 'confidential':
    case 'strips':
    case 'json':
      return hops > mostHops || partsOf(node).every(accepts)
    default:
      return false
  }
}

/** Returns the node of a codec that accepts what a part accepts and what satisfies a condition. */
export function whereNode(
  { nodes, conditions, add }: Writer,
  { name }: Codec,
  part: Codec,
  condition: (value: never) => unknown,
): Node {
  const position = add(part)
  const index = conditions.indexOf(condition)
  // A name that io-ts generated tells the reader nothing more.
  const words = name.startsWith('(')
    ? `${wordsOf(nodes, nodes[position]!)} that satisfies ${condition.name || 'a condition'}`
    : name
  return ['where', words, position, index < 0 ? conditions.push(condition) - 1 : index]
}

/** Describes what a node accepts, such as "string", "one of 'A', 'B'" or "object or null". */
export function wordsOf(nodes: readonly Node[], node: Node): string {
  if (typeof node === 'string') return node
  const [kind, second] = node
  if (kind === 'confidential' || kind === 'strips') return wordsOf(nodes, nodes[second]!)
  return words[kind] ?? (second as string)
}

/** Describes what a node accepts, for each kind of node that contains no description. */
const words: { readonly [kind: string]: string } = {
  any: 'anything',
  array: 'array',
  object: 'object',
  record: 'object',
  tagged: 'object',
  json: 'JSON text',
}
