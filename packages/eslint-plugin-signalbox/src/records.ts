import { child, children, isFunction, type Node, nameOf, nodesIn, pathOf } from './syntax.ts'

/** What a function reads of the records of its event. */
export interface Records {
  /** Returns the member of a record that an expression is: `body` for `record.body`, or for `body` from a pattern. */
  readonly members: (node: Node) => string | undefined
  /** Whether an expression is the list of records. */
  readonly isList: (node: Node | undefined) => boolean
  /** The names of all members of records that are read. */
  readonly read: ReadonlySet<string>
}

/** Finds the records in a function: the elements in loops over `Records`, and in functions given to `map` and the like. */
export function recordsIn(fn: Node): Records {
  const lists = new Set<string>()
  const names = new Set<string>()
  const fields = new Map<string, string>()
  const isList = (node: Node | undefined) => {
    const path = pathOf(node)
    return path?.at(-1) === 'Records' || (path?.length === 1 && lists.has(path[0]!))
  }
  const addRecord = (pattern: Node | undefined) => {
    if (pattern?.type === 'Identifier') names.add(nameOf(pattern)!)
    for (const [member, name] of patternFields(pattern)) fields.set(name, member)
  }
  for (const node of nodesIn(fn)) {
    if (node.type === 'VariableDeclarator') {
      const [id, value] = [child(node, 'id'), child(node, 'init')]
      const renamed = patternFields(id).find(([member]) => member === 'Records')?.[1]
      if (renamed !== undefined) lists.add(renamed)
      if (id?.type === 'Identifier' && isList(value)) lists.add(nameOf(id)!)
      if (value?.type === 'Identifier' && names.has(nameOf(value)!)) addRecord(id)
    }
    if (isFunction(node))
      for (const [member, name] of children(node, 'params').flatMap(patternFields))
        if (member === 'Records') lists.add(name)
    if (node.type === 'ForOfStatement' && isList(child(node, 'right'))) {
      const [declared] = children(child(node, 'left'), 'declarations')
      addRecord(child(declared, 'id'))
    }
    if (node.type !== 'CallExpression' || !isList(child(child(node, 'callee'), 'object'))) continue
    const [each] = children(node, 'arguments')
    if (isFunction(each)) addRecord(children(each, 'params')[0])
  }
  const members = (node: Node) => {
    const path = pathOf(node)
    if (path?.length === 1) return fields.get(path[0]!)
    return path?.length === 2 && names.has(path[0]!) ? path[1] : undefined
  }
  const read = new Set(fields.values())
  for (const node of nodesIn(fn)) {
    const member = node.type === 'MemberExpression' ? members(node) : undefined
    if (member !== undefined) read.add(member)
  }
  return { members, isList, read }
}

/** Returns the members that a pattern takes from an object, with the names of their variables. */
function patternFields(pattern: Node | undefined): readonly (readonly [member: string, name: string])[] {
  if (pattern?.type !== 'ObjectPattern') return []
  return children(pattern, 'properties').flatMap(property => {
    const member = property.computed === true ? undefined : nameOf(child(property, 'key'))
    const value = child(property, 'value')
    const name = nameOf(value?.type === 'AssignmentPattern' ? child(value, 'left') : value)
    return member === undefined || name === undefined ? [] : [[member, name] as const]
  })
}
