import type { Node, Structure } from '@signalbox/codec/ready'
import { isClaimValue } from './conditions.ts'
import { nodesText } from './ready.ts'

let nodes: readonly Node[] | undefined

/** Returns the nodes of the contract's shapes. They are read when a function first needs them. */
export function readyNodes(): readonly Node[] {
  nodes ??= JSON.parse(
    nodesText
      .replace(/([!?][A-Za-z]+)(\d+)/g, ',"$1",$2')
      .replaceAll('{', '["object"')
      .replaceAll('}', ']'),
  ) as readonly Node[]
  return nodes
}

/**
 * Returns the table that is used to find problems in an object with this node. Problems show no values, because any
 * field may hold a secret.
 */
export function tableOf(object: Node): Structure {
  const shapes = readyNodes()
  const root = shapes.length + 1
  return {
    table: { nodes: [...shapes, object, ['confidential', root - 1]], conditions: [isClaimValue] },
    root,
  }
}
