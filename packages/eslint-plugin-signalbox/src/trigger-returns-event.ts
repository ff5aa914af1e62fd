import { type Trigger, triggers } from '@signalbox/user-pool/contract'
import { type Finding, findingsOf } from './finding.ts'
import { type Handler, triggerOfType, usesCallback } from './handlers.ts'
import { child, children, type Node, ownNodes, pathOf, propertiesOf, returnedBy } from './syntax.ts'
import { eachPlace } from './triggers.ts'

const found = findingsOf('trigger-returns-event', 'user-pool')

/** Finds handlers of triggers that return something else than the event (docs/contract/user-pool.md#verdict.same-event). */
export function triggerReturnFindings(handlers: readonly Handler[]): readonly Finding[] {
  return handlers.flatMap(handler => {
    const { fn, event, isEntry } = handler
    if (event === undefined || !isEntry || usesCallback(handler)) return []
    const named = namedTriggers(handler)
    const read = [...named].filter(trigger => triggers[trigger].answer === 'read')
    if (read.length === 0) return []
    const answers = returnedBy(fn)
    if (answers.length === 0)
      return throwsAtEnd(fn) ? [] : [missing(children(fn, 'params')[0]!, 'nothing', read, event)]
    if (read.length < named.size) return []
    const wrong = answers.flatMap(answer => wrongAnswer(answer, event, read))
    return triggerOfType(handler.type) === undefined ? wrong : [...wrong, ...emptyReturns(fn, event, read)]
  })
}

/** Returns the trigger of the type of a handler, or those whose sources it compares with that of the event. */
function namedTriggers({ fn, type }: Handler): ReadonlySet<Trigger> {
  const typed = triggerOfType(type)
  const named = new Set<Trigger>()
  if (typed !== undefined) return named.add(typed)
  eachPlace(fn, undefined, (_node, certain) => {
    for (const trigger of certain ?? []) named.add(trigger)
  })
  return named
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
