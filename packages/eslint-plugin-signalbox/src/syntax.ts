/** A node of an ESTree syntax tree, with the nodes for TypeScript that parsers add. */
export interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

/** Fields of a node that do not lead down the tree, or lead to types. */
const otherFields = new Set(['parent', 'loc', 'range', 'tokens', 'comments', 'extra', 'typeAnnotation'])

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

/** Returns the node in a field, without parentheses and type assertions around it. */
export function child(node: Node | undefined, field: string): Node | undefined {
  const value = node?.[field]
  return isNode(value) ? plain(value) : undefined
}

/** Returns the nodes in a field that holds a list. */
export function children(node: Node | undefined, field: string): readonly Node[] {
  const value = node?.[field]
  return Array.isArray(value) ? value.filter(isNode) : []
}

const wrappers = new Set([
  'ChainExpression',
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
])

/** Returns an expression without parentheses and type assertions around it. */
export function plain(node: Node): Node {
  let inner = node
  while (wrappers.has(inner.type) && isNode(inner.expression)) inner = inner.expression
  return inner
}

/** Returns the name of an identifier, or the text of a string. */
export function nameOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Identifier') return node.name as string
  return textOf(node)
}

/** Returns the text of a string literal. */
export function textOf(node: Node | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

/** Returns the names along a chain of members, such as `['event', 'response']`, or undefined for other expressions. */
export function pathOf(node: Node | undefined): readonly string[] | undefined {
  if (node?.type === 'Identifier') return [node.name as string]
  if (node?.type !== 'MemberExpression') return undefined
  const object = pathOf(child(node, 'object'))
  const member = child(node, 'property')
  const name = node.computed === true ? textOf(member) : nameOf(member)
  return object === undefined || name === undefined ? undefined : [...object, name]
}

/** Yields a node and all nodes below it. `enters` decides whether to go below a node. */
export function* nodesIn(node: Node, enters: (node: Node) => boolean = () => true): Generator<Node> {
  const left = [node]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    yield next
    if (enters(next)) left.push(...childrenOf(next).toReversed())
  }
}

/** Returns the nodes directly below a node, in the order of the fields. */
export function childrenOf(node: Node): readonly Node[] {
  return Object.entries(node).flatMap(([field, value]) => {
    if (otherFields.has(field)) return []
    return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []
  })
}

export function isFunction(node: Node | undefined): node is Node {
  return node !== undefined && /^(ArrowFunctionExpression|Function(Expression|Declaration))$/.test(node.type)
}

/** Yields the nodes of a function that do not belong to a function inside it. */
export function ownNodes(fn: Node): Generator<Node> {
  return nodesIn(fn, node => node === fn || !isFunction(node))
}

/** Returns the expressions that a function returns. */
export function returnedBy(fn: Node): readonly Node[] {
  const body = child(fn, 'body')
  if (body !== undefined && body.type !== 'BlockStatement') return [body]
  return [...ownNodes(fn)].flatMap(node =>
    node.type === 'ReturnStatement' ? (child(node, 'argument') ?? []) : [],
  )
}

/** The properties of an object literal by name, or undefined if it may have others, such as those of a spread. */
export function propertiesOf(object: Node): ReadonlyMap<string, Node> | undefined {
  const found = writtenProperties(object)
  return found.size === children(object, 'properties').length ? found : undefined
}

/** The properties of an object literal whose names are written there. */
export function writtenProperties(object: Node): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>()
  for (const property of children(object, 'properties')) {
    const name = property.computed === true ? undefined : nameOf(child(property, 'key'))
    const value = child(property, 'value')
    if (name !== undefined && value !== undefined) found.set(name, value)
  }
  return found
}
