import { type Trigger, triggerNames, triggers } from '@signalbox/user-pool/contract'
import { type Finding, findingsOf } from './finding.ts'
import { type Handler, triggerOfType, usesCallback } from './handlers.ts'
import { child, children, type Node, ownNodes, pathOf, propertiesOf, returnedBy } from './syntax.ts'
import { answerFields, fieldNames } from './trigger-response.ts'
import { eachPlace } from './triggers.ts'

const found = findingsOf('trigger-returns-event', 'user-pool')

/** Finds handlers of triggers that return something else than the event (docs/contract/user-pool.md#verdict.same-event). */
export function triggerReturnFindings(handlers: readonly Handler[]): readonly Finding[] {
  return handlers.flatMap(handler => {
    const { fn, event, isEntry } = handler
    if (event === undefined || !isEntry || usesCallback(handler)) return []
    const typed = triggerOfType(handler.type)
    return typed === undefined ? namedFindings(fn, event) : typedFindings(fn, event, typed)
  })
}

/** Finds mistakes of a handler whose type says which trigger it is for. */
function typedFindings(fn: Node, event: string, trigger: Trigger): readonly Finding[] {
  if (!isRead(trigger)) return []
  const answers = returnedBy(fn)
  if (answers.length === 0)
    return throwsAtEnd(fn) ? [] : [missing(children(fn, 'params')[0]!, 'nothing', [trigger], event)]
  return [
    ...answers.flatMap(answer => wrongAnswer(answer, event, [trigger])),
    ...emptyReturns(fn, event, [trigger]),
  ]
}

/** Finds mistakes of a handler that compares the source of its event: where a condition is certain of the trigger. */
function namedFindings(fn: Node, event: string): readonly Finding[] {
  const own = new Set(ownNodes(fn))
  const named = new Set<Trigger>()
  const findings: Finding[] = []
  eachPlace(fn, event, undefined, (node, certain) => {
    for (const trigger of certain ?? []) named.add(trigger)
    const answer = node.type === 'ReturnStatement' && own.has(node) ? child(node, 'argument') : undefined
    if (answer !== undefined && certain !== undefined && [...certain].every(isRead))
      findings.push(...wrongAnswer(answer, event, [...certain]))
  })
  const returns = [...own].some(({ type }) => /^(Return|Throw)Statement$/.test(type))
  if (returns || child(fn, 'body')?.type !== 'BlockStatement') return findings
  const answered = named.size > 0 ? named : answeredTriggers(own, event)
  return answered.size === 0 || ![...answered].every(isRead)
    ? findings
    : [missing(children(fn, 'params')[0]!, 'nothing', [...answered], event)]
}

/** Returns the triggers that have all the fields that a function sets in `event.response`. */
function answeredTriggers(own: Iterable<Node>, event: string): ReadonlySet<Trigger> {
  const fields = [...own].flatMap(node =>
    node.type === 'AssignmentExpression' ? answerFields(node, event) : [],
  )
  const having = triggerNames.filter(trigger => fields.every(([name]) => fieldNames(trigger).includes(name)))
  return new Set(fields.length === 0 ? [] : having)
}

/** Whether a user pool reads the answer to a trigger. */
function isRead(trigger: Trigger): boolean {
  return triggers[trigger].answer === 'read'
}

function missing(node: Node, returned: string, read: readonly Trigger[], event: string): Finding {
  const what = `A function for ${read.join(' and ')} that returns ${returned} fails the user's operation.`
  return found(node, `${what} Expected ${event}, the event itself.`, 'verdict.same-event')
}

function throwsAtEnd(fn: Node): boolean {
  return children(child(fn, 'body'), 'body').at(-1)?.type === 'ThrowStatement'
}

function wrongAnswer(answer: Node, event: string, read: readonly Trigger[]): readonly Finding[] {
  if (pathOf(answer)?.join('.') === `${event}.response`)
    return [missing(answer, `${event}.response`, read, event)]
  const properties = answer.type === 'ObjectExpression' ? propertiesOf(answer) : undefined
  return properties === undefined || properties.has('triggerSource')
    ? []
    : [missing(answer, 'an object without triggerSource', read, event)]
}

function emptyReturns(fn: Node, event: string, read: readonly Trigger[]): readonly Finding[] {
  return [...ownNodes(fn)]
    .filter(node => node.type === 'ReturnStatement' && child(node, 'argument') === undefined)
    .map(node => missing(node, 'nothing', read, event))
}
