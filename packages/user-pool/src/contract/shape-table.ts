import type { Node, Ready } from '@signalbox/codec/ready'
import { isClaimValue } from './conditions.ts'
import type { Fields, Shape } from './fields/shape.ts'

/**
 * Returns the table that is used to find problems in an object with these fields. It describes the same rules
 * as their codec, and is built when a check first needs it. Problems show no values, because any field may
 * hold a secret.
 */
export function tableOf(fields: Fields): Ready {
  const nodes: Node[] = []
  const put = (node: Node) => nodes.push(node) - 1
  const root = put(['confidential', put(objectOf(fields))])
  return { table: { nodes, conditions: [isClaimValue] }, root }

  function objectOf(fields: Fields): Node {
    const rows = Object.entries(fields).flatMap(([name, field]) =>
      field ? [(field.required ? '!' : '?') + name, put(nodeOf(field.shape))] : [],
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
