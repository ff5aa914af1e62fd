import type { Node, Statement } from '@babel/types'
import { childrenOf } from './children-of.ts'

/** The parameters through which functions in calls of `group()` get `get`, `post` and the others. */
export interface GroupAdders {
  /** The names of parameters that have these functions as members, such as `add` in `add => [add.get(…)]`. */
  readonly objects: ReadonlySet<string>
  /** The names of these functions, such as `get` in `({ get }) => [get(…)]`, with the names of the members. */
  readonly functions: ReadonlyMap<string, string>
  /** The nodes of all these names. */
  readonly nodes: ReadonlySet<Node>
}

/**
 * Finds the parameters of functions that a module passes to `group()`. Their members make routes in the same way as the
 * functions that `@signalbox/load-balancer` exports.
 * @param names the names that the module imports from packages of Signalbox, with the exported names
 */
export function groupAdders(
  statements: readonly Statement[],
  names: ReadonlyMap<string, string>,
): GroupAdders {
  const objects = new Set<string>()
  const functions = new Map<string, string>()
  const nodes = new Set<Node>()
  for (const statement of statements) find(statement)
  return { objects, functions, nodes }

  function find(node: Node): void {
    if (node.type === 'CallExpression' && isGroup(node.callee)) {
      for (const argument of node.arguments) {
        const isFunction =
          argument.type === 'ArrowFunctionExpression' || argument.type === 'FunctionExpression'
        const param = isFunction ? argument.params[0] : undefined
        if (param) read(param)
      }
    }
    for (const child of childrenOf(node)) find(child)
  }

  function isGroup(callee: Node): boolean {
    if (callee.type === 'Identifier')
      return names.get(callee.name) === 'group' || functions.get(callee.name) === 'group'
    return (
      callee.type === 'MemberExpression' &&
      callee.object.type === 'Identifier' &&
      objects.has(callee.object.name) &&
      callee.property.type === 'Identifier' &&
      callee.property.name === 'group'
    )
  }

  function read(param: Node): void {
    if (param.type === 'Identifier') {
      objects.add(param.name)
      nodes.add(param)
    }
    if (param.type !== 'ObjectPattern') return
    for (const property of param.properties) {
      if (property.type !== 'ObjectProperty' || property.computed) continue
      const { key, value } = property
      if (key.type !== 'Identifier' || value.type !== 'Identifier') continue
      functions.set(value.name, key.name)
      nodes.add(value)
    }
  }
}
