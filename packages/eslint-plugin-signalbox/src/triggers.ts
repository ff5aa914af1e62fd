import { knownSource, type Trigger, triggerNames } from '@signalbox/user-pool/contract'
import {
  child,
  children,
  childrenOf,
  isFunction,
  type Node,
  nameOf,
  nodesIn,
  pathOf,
  textOf,
} from './syntax.ts'

/** The triggers that an event at some place of the code can come from. Undefined if they are not certain. */
export type Certain = ReadonlySet<Trigger> | undefined

type Visit = (node: Node, certain: Certain) => void

/** Whether an expression is the `triggerSource` of the handler's event. */
type IsSource = (node: Node | undefined) => boolean

/**
 * Calls a function with each node of a handler, and the triggers that conditions around the node are certain of.
 * @param event the name of the handler's event
 * @param certain the triggers that are certain everywhere
 */
export function eachPlace(fn: Node, event: string, certain: Certain, visit: Visit): void {
  const names = new Set([`${event}.triggerSource`, ...(takesSource(fn, event) ? ['triggerSource'] : [])])
  const isSource: IsSource = node => names.has(pathOf(node)?.join('.') ?? '')
  const isOther = (node: Node) =>
    node !== fn && isFunction(node) && children(node, 'params').some(each => nameOf(each) === event)
  placesIn(fn, certain, { isSource, isOther, visit })
}

/** Whether a function has a variable `triggerSource` from its event. */
function takesSource(fn: Node, event: string): boolean {
  return [...nodesIn(fn)].some(node => {
    if (node.type !== 'VariableDeclarator' || nameOf(child(node, 'init')) !== event) return false
    const properties = children(child(node, 'id'), 'properties')
    return properties.some(each => nameOf(child(each, 'value')) === 'triggerSource')
  })
}

interface Walk {
  readonly isSource: IsSource
  /** Whether a function inside the handler has another event under the name of the handler's. */
  readonly isOther: (node: Node) => boolean
  readonly visit: Visit
}

function placesIn(node: Node, certain: Certain, walk: Walk): void {
  if (walk.isOther(node)) return
  walk.visit(node, certain)
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
    const { test, alternate } = { test: child(node, 'test')!, alternate: child(node, 'alternate') }
    placesIn(test, certain, walk)
    placesIn(child(node, 'consequent')!, conditionOf(test, walk.isSource) ?? certain, walk)
    if (alternate !== undefined) placesIn(alternate, certain, walk)
    return
  }
  if (node.type === 'SwitchStatement' && walk.isSource(child(node, 'discriminant'))) {
    eachCase(node, walk)
    return
  }
  for (const each of childrenOf(node)) placesIn(each, certain, walk)
}

function eachCase(node: Node, walk: Walk): void {
  // What falls through from the cases before. Undefined after a case that names no source.
  let before: Certain = new Set<Trigger>()
  for (const each of children(node, 'cases')) {
    const own = triggerOf(textOf(child(each, 'test')))
    const certain: Certain = own === undefined || before === undefined ? undefined : new Set([...before, own])
    const statements = children(each, 'consequent')
    for (const statement of statements) placesIn(statement, certain, walk)
    before = statements.some(endsCase) ? new Set<Trigger>() : certain
  }
}

function endsCase(statement: Node): boolean {
  if (statement.type === 'BlockStatement') return children(statement, 'body').some(endsCase)
  return /^(Break|Return|Throw)Statement$/.test(statement.type)
}

/** Returns the triggers of which a true condition is certain. */
function conditionOf(test: Node, isSource: IsSource): Certain {
  const [left, right] = [child(test, 'left'), child(test, 'right')]
  if (test.type === 'BinaryExpression' && /^===?$/.test(String(test.operator))) {
    const source = isSource(left) ? textOf(right) : isSource(right) ? textOf(left) : undefined
    return setOf(triggerOf(source))
  }
  if (test.type === 'LogicalExpression' && test.operator === '&&')
    return conditionOf(left!, isSource) ?? conditionOf(right!, isSource)
  if (test.type === 'LogicalExpression' && test.operator === '||') {
    const [one, other] = [conditionOf(left!, isSource), conditionOf(right!, isSource)]
    return one && other && new Set([...one, ...other])
  }
  return test.type === 'CallExpression' ? callCondition(test, isSource) : undefined
}

function callCondition(call: Node, isSource: IsSource): Certain {
  const callee = child(call, 'callee')
  const [argument] = children(call, 'arguments')
  const method = child(callee, 'property')?.name
  const object = child(callee, 'object')
  if (method === 'startsWith' && isSource(object)) {
    const start = textOf(argument)?.replace(/_.*/, '')
    return setOf(triggerNames.find(trigger => trigger === start))
  }
  if (method !== 'includes' || object?.type !== 'ArrayExpression' || !isSource(argument)) return undefined
  const named = children(object, 'elements').map(element => triggerOf(textOf(element)))
  return named.length > 0 && named.every(each => each !== undefined) ? new Set(named as Trigger[]) : undefined
}

function triggerOf(source: string | undefined): Trigger | undefined {
  return knownSource(source)?.trigger
}

function setOf(trigger: Trigger | undefined): Certain {
  return trigger === undefined ? undefined : new Set([trigger])
}
