import { nearest } from '@signalbox/codec'
import { BatchItemFailure, BatchResponse, recordFields } from '@signalbox/queue/contract'
import { fieldElements, listElements } from './elements.ts'
import { type Finding, findingsOf } from './finding.ts'
import { type Handler, usesCallback } from './handlers.ts'
import { type Records, recordsIn } from './records.ts'
import type { Node } from './syntax.ts'
import * as syntax from './syntax.ts'

const found = findingsOf('batch-response', 'queue')
const [list] = Object.keys(BatchResponse.props) as ['batchItemFailures']
const [identifier] = Object.keys(BatchItemFailure.props) as ['itemIdentifier']
const messageId = 'messageId' satisfies keyof typeof recordFields

/** Finds mistakes in the answers to batches (docs/contract/queue.md#response). */
export function batchFindings(program: Node, handlers: readonly Handler[]): readonly Finding[] {
  const batches = handlers.filter(isBatchHandler)
  const records = new Map(batches.map(({ fn }) => [fn, recordsIn(fn)]))
  const answers = handlers.flatMap(({ fn }) =>
    syntax.returnedBy(fn).flatMap(answer => answerFindings(answer, fn, program, recordsAround(fn, records))),
  )
  return [...answers, ...batches.flatMap(handler => batchHandlerFindings(handler, records.get(handler.fn)!))]
}

/** Whether a function surely gets batches of SQS: by its type, or by what it reads of the records. */
function isBatchHandler({ fn, type }: Handler): boolean {
  if (type !== undefined) return type === 'SQSEvent' || type === 'SQSHandler'
  const { read } = recordsIn(fn)
  const ofOthers = ['Sns', 'kinesis', 'dynamodb', 's3', 'ses', 'cf', 'EventSource', 'eventName']
  const own = [
    'body',
    messageId,
    'receiptHandle',
    'messageAttributes',
  ] satisfies (keyof typeof recordFields)[]
  return own.some(name => read.has(name)) && !ofOthers.some(name => read.has(name))
}

const noRecords: Records = { members: () => undefined, isList: () => false, read: new Set() }

function recordsAround(fn: Node, records: ReadonlyMap<Node, Records>): Records {
  for (const [handler, found] of records)
    for (const node of syntax.nodesIn(handler)) if (node === fn) return found
  return noRecords
}

/** Finds mistakes in an object with `batchItemFailures` that a function returns. */
function answerFindings(answer: Node, fn: Node, program: Node, records: Records): readonly Finding[] {
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

function elementFindings(element: Node, records: Records): readonly Finding[] {
  const path = element.type === 'MemberExpression' ? syntax.pathOf(element) : undefined
  const isId = path?.length === 2 && path[1] === messageId
  if (isId || (element.type === 'Identifier' && records.members(element) === messageId))
    return [
      found(
        element,
        `An element of ${list} is the text of an id, so that the whole batch fails. Expected { ${identifier}: ${syntax.pathOf(element)!.join('.')} }.`,
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

function valueFindings(value: Node, records: Records): readonly Finding[] {
  const whole = 'so that the whole batch fails. Throw an error if that is meant.'
  if (syntax.textOf(value) === '')
    return [found(value, `${identifier} is empty, ${whole}`, 'verdict.empty-identifier')]
  if ((value.type === 'Literal' && value.value === null) || syntax.pathOf(value)?.join() === 'undefined')
    return [
      found(value, `${identifier} is ${syntax.nameOf(value) ?? 'null'}, ${whole}`, 'verdict.null-identifier'),
    ]
  const member = records.members(value)
  if (member === undefined || member === messageId) return []
  const path = syntax.pathOf(value)!
  const meant = path.length === 1 ? messageId : `${path[0]}.${messageId}`
  if (!Object.hasOwn(recordFields, member) && nearest(member, [messageId]) === undefined) return []
  return [
    found(
      value,
      `${identifier} is ${path.join('.')}, which is the ${messageId} of no record, so that the whole batch fails. Expected ${meant}.`,
      'verdict.unknown-identifier',
    ),
  ]
}

/** Finds mistakes in a function that surely gets batches. */
function batchHandlerFindings(handler: Handler, records: Records): readonly Finding[] {
  const { fn, type, isEntry, isExported } = handler
  const answers = syntax.returnedBy(fn)
  const failures = failureNodes(fn)
  const findings = [...answers.flatMap(misspeltList), ...unawaitedLoops(fn, records)]
  const isCalled = isEntry || (type !== undefined && isExported)
  if (isCalled && !usesCallback(handler)) findings.push(...statusFindings(fn))
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

/**
 * Finds calls of `Records.forEach` with an async function that waits, in a handler that is async itself, and ends
 * before them, or whose list of failures they fill too late.
 */
function unawaitedLoops(fn: Node, records: Records): readonly Finding[] {
  return [...syntax.ownNodes(fn)].flatMap(node => {
    const callee = node.type === 'CallExpression' ? syntax.child(node, 'callee') : undefined
    const [each] = syntax.children(node, 'arguments')
    if (syntax.nameOf(syntax.child(callee, 'property')) !== 'forEach') return []
    if (!records.isList(syntax.child(callee, 'object')) || each?.async !== true || !syntax.isFunction(each))
      return []
    const waits = [...syntax.ownNodes(each)].some(({ type }) => type === 'AwaitExpression')
    const collects = failureNodes(each).length > 0
    if (!waits || (!collects && fn.async !== true)) return []
    const what = collects
      ? `before a failure is in ${list}, and the platform deletes the failed messages`
      : 'before the work is done, and the platform deletes the messages whether the work fails or not'
    return [
      found(
        node,
        `forEach does not wait for an async function: the handler returns ${what}. Expected for … of with await, or await Promise.all(….map(…)).`,
        collects ? 'verdict.empty-list' : 'verdict.empty-response',
      ),
    ]
  })
}

/** Finds answers with the status of an error, in a block that catches. */
function statusFindings(fn: Node): readonly Finding[] {
  const caught = [...syntax.ownNodes(fn)].filter(({ type }) => type === 'CatchClause')
  const answers = caught.flatMap(block => [...syntax.ownNodes(block)])
  return answers.flatMap(node => {
    const answer = node.type === 'ReturnStatement' ? syntax.child(node, 'argument') : undefined
    const properties = answer?.type === 'ObjectExpression' ? syntax.propertiesOf(answer) : undefined
    const status = properties?.get('statusCode')
    if (status?.type !== 'Literal' || Number(status.value) < 400 || properties!.has(list)) return []
    return [
      found(
        answer!,
        `The platform reads no statusCode in an answer to a batch, and deletes all messages of it. Throw an error, or return { ${list} }.`,
        'verdict.empty-response',
      ),
    ]
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
