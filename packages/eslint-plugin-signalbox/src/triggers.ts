import { knownSource, type Trigger, triggerNames } from '@signalbox/user-pool/contract'
import { child, children, childrenOf, type Node, pathOf, textOf } from './syntax.ts'

/** The triggers that an event at some place of the code can come from. Undefined if they are not certain. */
export type Certain = ReadonlySet<Trigger> | undefined

/** Calls a function with each node of a handler, and the triggers that conditions around the node are certain of. */
export function eachPlace(node: Node, certain: Certain, visit: (node: Node, certain: Certain) => void): void {
  visit(node, certain)
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
    const { test, alternate } = { test: child(node, 'test')!, alternate: child(node, 'alternate') }
    eachPlace(test, certain, visit)
    eachPlace(child(node, 'consequent')!, conditionOf(test) ?? certain, visit)
    if (alternate !== undefined) eachPlace(alternate, certain, visit)
    return
  }
  if (node.type === 'SwitchStatement' && isSource(child(node, 'discriminant'))) {
    eachCase(node, visit)
    return
  }
  for (const each of childrenOf(node)) eachPlace(each, certain, visit)
}

function eachCase(node: Node, visit: (node: Node, certain: Certain) => void): void {
  // What falls through from the cases before. Undefined after a case that names no source.
  let before: Certain = new Set<Trigger>()
  for (const each of children(node, 'cases')) {
    const own = triggerOf(textOf(child(each, 'test')))
    const certain: Certain = own === undefined || before === undefined ? undefined : new Set([...before, own])
    const statements = children(each, 'consequent')
    for (const statement of statements) eachPlace(statement, certain, visit)
    before = statements.some(endsCase) ? new Set<Trigger>() : certain
  }
}

function endsCase(statement: Node): boolean {
  if (statement.type === 'BlockStatement') return children(statement, 'body').some(endsCase)
  return /^(Break|Return|Throw)Statement$/.test(statement.type)
}

/** Returns the triggers of which a true condition is certain. */
function conditionOf(test: Node): Certain {
  const [left, right] = [child(test, 'left'), child(test, 'right')]
  if (test.type === 'BinaryExpression' && /^===?$/.test(String(test.operator))) {
    const source = isSource(left) ? textOf(right) : isSource(right) ? textOf(left) : undefined
    return setOf(triggerOf(source))
  }
  if (test.type === 'LogicalExpression' && test.operator === '&&')
    return conditionOf(left!) ?? conditionOf(right!)
  if (test.type === 'LogicalExpression' && test.operator === '||') {
    const [one, other] = [conditionOf(left!), conditionOf(right!)]
    return one && other && new Set([...one, ...other])
  }
  return test.type === 'CallExpression' ? callCondition(test) : undefined
}

function callCondition(call: Node): Certain {
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

/** Whether an expression is the `triggerSource` of an event. */
function isSource(node: Node | undefined): boolean {
  return pathOf(node)?.at(-1) === 'triggerSource'
}

function triggerOf(source: string | undefined): Trigger | undefined {
  return knownSource(source)?.trigger
}

function setOf(trigger: Trigger | undefined): Certain {
  return trigger === undefined ? undefined : new Set([trigger])
}
