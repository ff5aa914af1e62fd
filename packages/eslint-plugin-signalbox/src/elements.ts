import {
  child,
  children,
  isFunction,
  type Node,
  nameOf,
  nodesIn,
  pathOf,
  plain,
  returnedBy,
  writtenProperties,
} from './syntax.ts'

/**
 * Returns the expressions that surely are elements of a list: those of a literal, those that a function given to `map`
 * returns, and for a variable also those that are pushed. Others are left out.
 * @param fn the function in which the list is used. Its variables come before those of the module.
 */
export function listElements(value: Node, fn: Node, program: Node): readonly Node[] {
  if (value.type === 'ArrayExpression')
    return children(value, 'elements')
      .map(plain)
      .filter(({ type }) => type !== 'SpreadElement')
  if (value.type === 'ConditionalExpression')
    return ['consequent', 'alternate'].flatMap(side => listElements(child(value, side)!, fn, program))
  if (value.type === 'CallExpression') return mapped(value)
  if (value.type === 'Identifier') return elementsOf(nameOf(value)!, fn, program)
  return []
}

function mapped(call: Node): readonly Node[] {
  const callee = child(call, 'callee')
  const [each] = children(call, 'arguments')
  if (callee?.type !== 'MemberExpression' || nameOf(child(callee, 'property')) !== 'map') return []
  return isFunction(each) && each.async !== true ? returnedBy(each) : []
}

/**
 * Returns the known elements of a list in a field of a variable that is returned: those of its first value, and those
 * that are pushed. A list that is assigned later is left out.
 */
export function fieldElements(name: string, field: string, fn: Node, program: Node): readonly Node[] {
  const [declaration, ...others] = declarationsOf(name, fn)
  const initial = child(declaration, 'init')
  const path = `${name}.${field}`
  if (others.length > 0 || isAssigned(path, fn) || isAssigned(name, fn)) return []
  if (initial?.type !== 'ObjectExpression') return []
  const list = writtenProperties(initial).get(field)
  return [...(list === undefined ? [] : listElements(list, fn, program)), ...pushed(path, fn)]
}

function pushed(path: string, scope: Node): readonly Node[] {
  return [...nodesIn(scope)].flatMap(node => {
    if (node.type !== 'CallExpression' || pathOf(child(node, 'callee'))?.join('.') !== `${path}.push`)
      return []
    return children(node, 'arguments')
      .map(plain)
      .filter(({ type }) => type !== 'SpreadElement')
  })
}

/** Returns the known elements of the only variable with a name. */
function elementsOf(name: string, fn: Node, program: Node): readonly Node[] {
  const scope = declarationsOf(name, fn).length > 0 ? fn : program
  const [declaration, ...others] = declarationsOf(name, scope)
  if (declaration === undefined || others.length > 0 || isAssigned(name, scope)) return []
  const initial = child(declaration, 'init')
  const first =
    initial === undefined || initial.type === 'Identifier' ? [] : listElements(initial, fn, program)
  return [...first, ...pushed(name, scope)]
}

/** Whether a name, or a path such as `response.batchItemFailures`, gets another value. */
function isAssigned(path: string, scope: Node): boolean {
  return [...nodesIn(scope)].some(node => {
    if (node.type !== 'AssignmentExpression') return false
    const left = child(node, 'left')!
    return pathOf(left)?.join('.') === path || (left.type !== 'MemberExpression' && binds(left, path))
  })
}

/**
 * Returns the declarations of a name, in which parameters and patterns count, so that a name with two meanings is left
 * alone. Only a declaration that is no pattern has the value of the name in `init`.
 */
function declarationsOf(name: string, scope: Node): readonly Node[] {
  return [...nodesIn(scope)].flatMap(node => {
    const id = node.type === 'VariableDeclarator' ? child(node, 'id') : undefined
    if (id !== undefined && binds(id, name)) return [id.type === 'Identifier' ? node : id]
    return isFunction(node) ? children(node, 'params').filter(parameter => binds(parameter, name)) : []
  })
}

/** Whether a pattern gives a value to a name. */
function binds(pattern: Node, name: string): boolean {
  switch (pattern.type) {
    case 'Identifier':
      return pattern.name === name
    case 'ObjectPattern':
      return children(pattern, 'properties').some(each => binds(child(each, 'value') ?? each, name))
    case 'ArrayPattern':
      return children(pattern, 'elements').some(each => binds(each, name))
    case 'AssignmentPattern':
      return binds(child(pattern, 'left')!, name)
    case 'RestElement':
      return binds(child(pattern, 'argument')!, name)
    default:
      return false
  }
}
