import { nearest } from '@signalbox/codec'
import { type Trigger, triggerNames, triggers } from '@signalbox/user-pool/contract'
import { type Finding, findingsOf } from './finding.ts'
import { type Handler, triggerOfType } from './handlers.ts'
import { child, type Node, nameOf, pathOf, writtenProperties } from './syntax.ts'
import { type Certain, eachPlace } from './triggers.ts'

const found = findingsOf('trigger-response', 'user-pool')

/** Finds fields of an answer that belong to another trigger (docs/contract/user-pool.md). */
export function triggerResponseFindings(handlers: readonly Handler[]): readonly Finding[] {
  const findings: Finding[] = []
  const seen = new Set<Node>()
  for (const { fn, event, type } of handlers) {
    if (event === undefined) continue
    const trigger = triggerOfType(type)
    eachPlace(fn, event, trigger && new Set([trigger]), (node, certain) => {
      for (const [name, at] of certain === undefined ? [] : answerFields(node, event)) {
        const finding = seen.has(at) ? undefined : fieldFinding(name, at, certain!)
        seen.add(at)
        if (finding !== undefined) findings.push(finding)
      }
    })
  }
  return findings
}

/** Returns the fields that a node sets in `event.response`. */
export function answerFields(node: Node, event: string): readonly (readonly [string, Node])[] {
  const response = `${event}.response`
  if (node.type === 'AssignmentExpression') {
    const left = child(node, 'left')!
    const value = child(node, 'right')
    const path = left.type === 'MemberExpression' ? pathOf(left) : undefined
    if (path?.join('.') === response) return fieldsOf(value)
    return path !== undefined && path.length > 2 && path.slice(0, 2).join('.') === response
      ? [[path[2]!, left]]
      : []
  }
  if (node.type === 'ReturnStatement' || node.type === 'ArrowFunctionExpression') {
    const answer = child(node, node.type === 'ReturnStatement' ? 'argument' : 'body')
    return isEventCopy(answer, event) ? fieldsOf(writtenProperties(answer!).get('response')) : []
  }
  return []
}

/** Whether an object begins with all fields of the event. */
function isEventCopy(node: Node | undefined, event: string): boolean {
  const properties = (node?.type === 'ObjectExpression' ? node.properties : []) as readonly Node[]
  return properties.some(each => each.type === 'SpreadElement' && nameOf(child(each, 'argument')) === event)
}

function fieldsOf(value: Node | undefined): readonly (readonly [string, Node])[] {
  return value?.type === 'ObjectExpression' ? [...writtenProperties(value)] : []
}

function fieldFinding(name: string, node: Node, certain: NonNullable<Certain>): Finding | undefined {
  const own = [...certain].flatMap(fieldNames)
  if (own.includes(name)) return undefined
  const owners = triggerNames.filter(trigger => fieldNames(trigger).includes(name))
  const of = [...certain].join(' and ')
  if (owners.length > 0)
    return found(
      node,
      `${name} is an answer of ${owners.join(' and ')}, and has no effect in an answer to ${of}. Expected ${own.join(', ') || 'no field'}.`,
      own.length === 0 ? 'verdict.no-response-expected' : `${owners[0]}.response.${name}`,
    )
  const meant = nearest(name, own)
  const owner = [...certain].find(trigger => meant !== undefined && fieldNames(trigger).includes(meant))
  return owner && found(node, `${name} has no effect. Expected ${meant}.`, `${owner}.response.${meant}`)
}

/** Returns the names of the fields that an answer to a trigger can have. */
export function fieldNames(trigger: Trigger): readonly string[] {
  return Object.keys(triggers[trigger].response)
}
