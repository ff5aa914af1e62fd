import { newReport } from '../check/report.ts'
import { codecOf, failure, success } from '../io-ts/codec-of.ts'
import type { Codec, Structure } from '../io-ts/codec-structure.ts'
import { confidentially } from '../io-ts/confidential.ts'
import { declare } from '../io-ts/declared.ts'
import { string } from '../wire/values.ts'
import { examineReady } from './examine-ready.ts'
import type { Ready } from './ready-codec.ts'
import { nodesOf, presences, wordsOf } from './table.ts'

/**
 * Returns the structure of a precompiled codec, for io-ts codecs that contain it and for JSON Schema. It is the same
 * structure as that of the original codec.
 */
export function structureOfReady({ table, root }: Ready): Structure {
  const codecs: Codec[] = []
  return structureOf(root)

  function codecAt(position: number): Codec {
    codecs[position] ??= makeCodec(position)
    return codecs[position]
  }

  function makeCodec(position: number): Codec {
    const nodes = nodesOf(table)
    const is = (value: unknown): value is unknown =>
      examineReady({ table, root: position }, { value }, newReport(false))
    const codec: Codec = codecOf<unknown, unknown>({
      name: wordsOf(nodes, nodes[position]!),
      is,
      validate: (value, context) => (is(value) ? success(value) : failure({ value, context })),
    })
    declare(codec, structureOf(position))
    return codec
  }

  function structureOf(position: number): Structure {
    const node = nodesOf(table)[position]!
    if (typeof node === 'string') return { kind: 'typeof', parts: [], type: node }
    switch (node[0]) {
      case 'any':
        return { kind: 'any', parts: [] }
      case 'one of':
        return { kind: 'oneOf', parts: [], values: node.slice(2) }
      case 'object': {
        const names = node.filter(each => typeof each === 'string').slice(1)
        return {
          kind: 'object',
          names: names.map(name => name.slice(1)),
          presence: names.map(name => presences[name[0]!]!),
          parts: node.filter(each => typeof each === 'number').map(codecAt),
          strips: false,
        }
      }
      case 'record':
        return { kind: 'record', parts: [codecAt(node[1])], domain: string, arrays: false, strips: false }
      case 'array':
        return { kind: 'array', parts: node[1] === undefined ? [] : [codecAt(node[1])] }
      case 'all':
      case 'some':
        return { kind: node[0], parts: (node.slice(2) as number[]).map(codecAt) }
      case 'tagged': {
        const branches = node.slice(3) as (readonly [number, ...unknown[]])[]
        return {
          kind: 'tagged',
          parts: branches.map(([part]) => codecAt(part)),
          tag: node[2],
          values: branches.map(branch => branch.slice(1)),
        }
      }
      case 'where':
        return {
          kind: 'refinement',
          parts: [codecAt(node[2])],
          predicate: table.conditions[node[3]] as (value: unknown) => unknown,
        }
      case 'confidential':
        return { kind: 'same', parts: [confidentially(makeCodec(node[1]))], strips: false }
    }
  }
}
