import { nearest } from '@signalbox/codec'
import { BatchItemFailure, BatchResponse, recordFields } from '@signalbox/queue/contract'
import { fieldElements, listElements } from './elements.ts'
import { type Finding, findingsOf } from './finding.ts'
import { type Handler, usesCallback } from './handlers.ts'
import type { Node } from './syntax.ts'
import * as syntax from './syntax.ts'

const found = findingsOf('batch-response', 'queue')
const [list] = Object.keys(BatchResponse.props) as ['batchItemFailures']
const [identifier] = Object.keys(BatchItemFailure.props) as ['itemIdentifier']
const messageId = 'messageId' satisfies keyof typeof recordFields

/** Finds mistakes in the answers to batches (docs/contract/queue.md#response). */
export function batchFindings(program: Node, handlers: readonly Handler[]): readonly Finding[] {
  const batches = handlers.filter(isBatchHandler)
  const records = new Map(batches.map(({ fn }) => [fn, recordNames(fn)]))
  const answers = handlers.flatMap(({ fn }) =>
    syntax.returnedBy(fn).flatMap(answer => answerFindings(answer, fn, program, recordsAround(fn, records))),
  )
  return [...answers, ...batches.flatMap(handler => batchHandlerFindings(handler))]
}

/** Whether a function surely gets batches of SQS: by its type, or by what it reads of the records. */
function isBatchHandler({ fn, type }: Handler): boolean {
  if (type !== undefined) return type === 'SQSEvent' || type === 'SQSHandler'
  const read = membersOf(fn, recordNames(fn))
  const ofOthers = ['Sns', 'kinesis', 'dynamodb', 's3', 'ses', 'cf', 'EventSource', 'eventName']
  const own = [
    'body',
    messageId,
    'receiptHandle',
    'messageAttributes',
  ] satisfies (keyof typeof recordFields)[]
  return own.some(name => read.has(name)) && !ofOthers.some(name => read.has(name))
}

/** Returns the names of variables that are a record: in a loop over `Records`, or in a function given to `map`. */
function recordNames(fn: Node): ReadonlySet<string> {
  const names = new Set<string>()
  const isRecords = (node: Node | undefined) => syntax.pathOf(node)?.at(-1) === 'Records'
  for (const node of syntax.nodesIn(fn)) {
    if (node.type === 'ForOfStatement' && isRecords(syntax.child(node, 'right'))) {
      const [declared] = syntax.children(syntax.child(node, 'left'), 'declarations')
      const name = syntax.nameOf(syntax.child(declared, 'id'))
      if (name !== undefined) names.add(name)
    }
    const callee = syntax.child(node, 'callee')
    if (node.type !== 'CallExpression' || !isRecords(syntax.child(callee, 'object'))) continue
    const [each] = syntax.children(node, 'arguments')
    const name = syntax.nameOf(syntax.children(each, 'params')[0])
    if (name !== undefined) names.add(name)
  }
  return names
}

function membersOf(fn: Node, names: ReadonlySet<string>): ReadonlySet<string> {
  const members = new Set<string>()
  for (const node of syntax.nodesIn(fn)) {
    const path = node.type === 'MemberExpression' ? syntax.pathOf(node) : undefined
    if (path !== undefined && path.length > 1 && names.has(path[0]!)) members.add(path[1]!)
  }
  return members
}

function recordsAround(fn: Node, records: ReadonlyMap<Node, ReadonlySet<string>>): ReadonlySet<string> {
  for (const [handler, names] of records)
    for (const node of syntax.nodesIn(handler)) if (node === fn) return names
  return new Set()
}

/** Finds mistakes in an object with `batchItemFailures` that a function returns. */
function answerFindings(
  answer: Node,
  fn: Node,
  program: Node,
  records: ReadonlySet<string>,
): readonly Finding[] {
  const name = answer.type === 'Identifier' ? syntax.nameOf(answer) : undefined
  const failures = answer.type === 'ObjectExpression' ? syntax.writtenProperties(answer).get(list) : undefined
  const elements =
    name !== undefined
      ? fieldElements(name, list, fn, program)
      : failures === undefined
        ? []
        : listElements(failures, fn, program)
  return elements.flatMap(element => elementFindings(element, records))
}

function elementFindings(element: Node, records: ReadonlySet<string>): readonly Finding[] {
  const path = element.type === 'MemberExpression' ? syntax.pathOf(element) : undefined
  if (path?.length === 2 && path[1] === messageId)
    return [
      found(
        element,
        `An element of ${list} is the text of an id, so that the whole batch fails. Expected { ${identifier}: ${path.join('.')} }.`,
        'verdict.wrong-key',
      ),
    ]
  const properties = element.type === 'ObjectExpression' ? syntax.propertiesOf(element) : undefined
  if (properties === undefined) return []
  const value = properties.get(identifier)
  if (value === undefined) {
    const keys = [...properties.keys()].join(', ') || 'no key'
    return [
      found(
        element,
        `An element of ${list} has ${keys} instead of ${identifier}, so that the whole batch fails.`,
        'verdict.wrong-key',
      ),
    ]
  }
  return valueFindings(value, records)
}

function valueFindings(value: Node, records: ReadonlySet<string>): readonly Finding[] {
  const whole = 'so that the whole batch fails. Throw an error if that is meant.'
  if (syntax.textOf(value) === '')
    return [found(value, `${identifier} is empty, ${whole}`, 'verdict.empty-identifier')]
  if ((value.type === 'Literal' && value.value === null) || syntax.pathOf(value)?.join() === 'undefined')
    return [
      found(value, `${identifier} is ${syntax.nameOf(value) ?? 'null'}, ${whole}`, 'verdict.null-identifier'),
    ]
  const path = value.type === 'MemberExpression' ? syntax.pathOf(value) : undefined
  if (path?.length !== 2 || !records.has(path[0]!) || path[1] === messageId) return []
  const member = path[1]!
  if (!Object.hasOwn(recordFields, member) && nearest(member, [messageId]) === undefined) return []
  return [
    found(
      value,
      `${identifier} is ${path.join('.')}, which is the ${messageId} of no record, so that the whole batch fails. Expected ${path[0]}.${messageId}.`,
      'verdict.unknown-identifier',
    ),
  ]
}

/** Finds mistakes in a function that surely gets batches. */
function batchHandlerFindings(handler: Handler): readonly Finding[] {
  const { fn, isEntry } = handler
  const answers = syntax.returnedBy(fn)
  const failures = failureNodes(fn)
  const findings = answers.flatMap(answer => misspeltList(answer))
  for (const loop of unawaitedLoops(fn))
    findings.push(
      found(
        loop,
        `forEach does not wait for an async function: the handler returns before a failure is in ${list}, and the platform deletes the failed messages. Expected for … of with await, or Promise.all(….map(…)).`,
        'verdict.empty-list',
      ),
    )
  const [first] = failures
  const isLost = first !== undefined && answers.length === 0 && !usesCallback(handler)
  if (isEntry && isLost && !fails(fn) && !isPassed(listNames(fn), fn))
    findings.push(
      found(
        first,
        `The handler collects failures but returns nothing, so that the platform deletes the failed messages. Expected it to return { ${list} }.`,
        'verdict.empty-response',
      ),
    )
  return findings
}

function misspeltList(answer: Node): Finding[] {
  const properties = answer.type === 'ObjectExpression' ? syntax.propertiesOf(answer) : undefined
  if (properties === undefined || properties.has(list)) return []
  const wrong = [...properties.keys()].find(key => nearest(key, [list]) !== undefined)
  return wrong === undefined
    ? []
    : [
        found(
          answer,
          `The platform does not read ${wrong}, and deletes the failed messages. Expected ${list}.`,
          'verdict.empty-response',
        ),
      ]
}

/** Returns the places where a function names a failure or the list of failures. */
function failureNodes(fn: Node): readonly Node[] {
  return [...syntax.nodesIn(fn)].filter(node => {
    if (node.type === 'ObjectExpression') return syntax.writtenProperties(node).has(identifier)
    return node.type === 'VariableDeclarator' && syntax.nameOf(syntax.child(node, 'id')) === list
  })
}

/** Returns the names of lists of failures: `batchItemFailures`, and those to which a failure is pushed. */
function listNames(fn: Node): ReadonlySet<string> {
  const names = new Set<string>([list])
  for (const node of syntax.nodesIn(fn)) {
    const path = node.type === 'CallExpression' ? syntax.pathOf(syntax.child(node, 'callee')) : undefined
    if (path?.length === 2 && path[1] === 'push') names.add(path[0]!)
  }
  return names
}

/** Whether one of these variables is an argument of a call, or inside an object that is, which may end the handler. */
function isPassed(names: ReadonlySet<string>, fn: Node): boolean {
  const isWhole = (node: Node) => node.type !== 'MemberExpression' && !syntax.isFunction(node)
  for (const call of syntax.nodesIn(fn)) {
    if (call.type !== 'CallExpression') continue
    for (const argument of syntax.children(call, 'arguments'))
      for (const node of syntax.nodesIn(argument, isWhole))
        if (node.type === 'Identifier' && names.has(node.name as string)) return true
  }
  return false
}

/** Returns calls of `Records.forEach` with an async function that waits, and then adds to the list of failures. */
function unawaitedLoops(fn: Node): readonly Node[] {
  return [...syntax.ownNodes(fn)].filter(node => {
    if (node.type !== 'CallExpression') return false
    const path = syntax.pathOf(syntax.child(node, 'callee'))
    const [each] = syntax.children(node, 'arguments')
    if (path?.slice(-2).join('.') !== 'Records.forEach' || each?.async !== true || !syntax.isFunction(each))
      return false
    const waits = [...syntax.ownNodes(each)].some(({ type }) => type === 'AwaitExpression')
    return waits && failureNodes(each).length > 0
  })
}

/** Whether a function fails by itself, outside of a block that catches. */
function fails(fn: Node): boolean {
  const enters = (node: Node) =>
    (node === fn || !syntax.isFunction(node)) && !(node.type === 'TryStatement' && node.handler !== null)
  for (const node of syntax.nodesIn(fn, enters)) {
    if (node.type === 'ThrowStatement') return true
    const path = node.type === 'CallExpression' ? syntax.pathOf(syntax.child(node, 'callee')) : undefined
    if (path?.[0] === 'assert' || path?.join('.') === 'Promise.reject') return true
    const handler = node.type === 'TryStatement' ? syntax.child(node, 'handler') : undefined
    if (handler !== undefined && [...syntax.ownNodes(handler)].some(({ type }) => type === 'ThrowStatement'))
      return true
  }
  return false
}
