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
  const isAssigned = [...nodesIn(fn)].some(
    node => node.type === 'AssignmentExpression' && pathOf(child(node, 'left'))?.join('.') === path,
  )
  if (others.length > 0 || isAssigned || initial?.type !== 'ObjectExpression') return []
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
  if (declaration === undefined || others.length > 0) return []
  const initial = child(declaration, 'init')
  const first =
    initial === undefined || initial.type === 'Identifier' ? [] : listElements(initial, fn, program)
  return [...first, ...pushed(name, scope)]
}

/** Returns the declarations of a name, in which parameters count, so that a name with two meanings is left alone. */
function declarationsOf(name: string, scope: Node): readonly Node[] {
  return [...nodesIn(scope)].flatMap(node => {
    if (node.type === 'VariableDeclarator' && nameOf(child(node, 'id')) === name) return [node]
    return isFunction(node) ? children(node, 'params').filter(parameter => nameOf(parameter) === name) : []
  })
}
