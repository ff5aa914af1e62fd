import type { responseFields } from '@signalbox/load-balancer/contract'
import { type Finding, findingsOf } from './finding.ts'
import type { Handler } from './handlers.ts'
import {
  child,
  children,
  type Node,
  nodesIn,
  pathOf,
  propertiesOf,
  returnedBy,
  textOf,
  writtenProperties,
} from './syntax.ts'

const found = findingsOf('load-balancer-response', 'load-balancer')
type Field = keyof typeof responseFields
const field = <F extends Field>(name: F): F => name
const single = field('headers')
const multi = field('multiValueHeaders')

/** Finds mistakes in the answers to a load balancer (docs/contract/load-balancer.md#response). */
export function loadBalancerFindings(handlers: readonly Handler[]): readonly Finding[] {
  return handlers.filter(isLoadBalancerHandler).flatMap(handler => {
    const answers = returnedBy(handler.fn).filter(({ type }) => type === 'ObjectExpression')
    return answers.flatMap(answer => [...answerFindings(answer), ...modeFindings(answer, handler)])
  })
}

/** Whether a function surely answers a load balancer, and not also an API gateway. */
function isLoadBalancerHandler({ fn, type, event, isEntry }: Handler): boolean {
  if (type !== undefined) return isEntry && /^ALB(Event|Handler)$/.test(type)
  if (!isEntry || event === undefined) return false
  return reads(fn, `${event}.requestContext.elb.targetGroupArn`)
}

function reads(fn: Node, path: string): boolean {
  for (const node of nodesIn(fn))
    if (node.type === 'MemberExpression' && pathOf(node)?.join('.') === path) return true
  return false
}

/** Whether a function writes a field in any object. */
function writes(fn: Node, name: Field): boolean {
  for (const node of nodesIn(fn)) {
    if (node.type === 'ObjectExpression' && writtenProperties(node).has(name)) return true
    if (node.type === 'AssignmentExpression' && pathOf(child(node, 'left'))?.includes(name)) return true
  }
  return false
}

function answerFindings(answer: Node): readonly Finding[] {
  const findings: Finding[] = []
  const properties = writtenProperties(answer)
  const status = properties.get(field('statusCode'))
  if (textOf(status) !== undefined) findings.push(malformed(status!, 'statusCode', 'text', 'an integer'))
  if (status === undefined && propertiesOf(answer) !== undefined && properties.size > 0)
    findings.push(malformed(answer, 'statusCode', 'missing', 'an integer'))
  const body = properties.get(field('body'))
  const bodyKind = body === undefined ? undefined : kindOf(body)
  if (bodyKind !== undefined && bodyKind !== 'text' && bodyKind !== 'null')
    findings.push(malformed(body!, 'body', bodyKind, 'text'))
  for (const [name, value] of headersIn(properties, single)) {
    const kind = kindOf(value)
    if (kind !== undefined && kind !== 'text')
      findings.push(malformed(value, single, kind, `text for ${name}`))
    if (name.toLowerCase() === 'set-cookie' && joinsCookies(value))
      findings.push(
        found(
          value,
          `One set-cookie header cannot have two cookies, so that browsers lose the second. Expected a list in ${multi}, with multi-value headers enabled.`,
          `response.${multi}`,
        ),
      )
  }
  for (const [name, value] of headersIn(properties, multi)) {
    const kind = kindOf(value)
    if (kind !== undefined && kind !== 'a list')
      findings.push(malformed(value, multi, kind, `a list for ${name}`))
  }
  const cookies = properties.get('cookies')
  if (cookies?.type === 'ArrayExpression' && children(cookies, 'elements').length > 0)
    findings.push(
      found(
        cookies,
        'cookies is a field of API Gateway and function URLs. A load balancer ignores it, and the cookies are lost. Expected set-cookie headers.',
        'verdict.cookies',
      ),
    )
  return findings
}

function malformed(node: Node, name: Field, actual: string, expected: string): Finding {
  const text = actual === 'missing' ? `${name} is missing` : `${name} has ${actual}`
  return found(
    node,
    `${text}, so that the client gets the status 502. Expected ${expected}.`,
    `response.${name}`,
  )
}

function headersIn(properties: ReadonlyMap<string, Node>, map: Field): readonly (readonly [string, Node])[] {
  const value = properties.get(map)
  return value?.type === 'ObjectExpression' ? [...writtenProperties(value)] : []
}

/** Returns what kind of value a literal has, or undefined for other expressions. */
function kindOf(value: Node): string | undefined {
  if (value.type === 'TemplateLiteral') return 'text'
  if (value.type === 'ArrayExpression') return 'a list'
  if (value.type === 'ObjectExpression') return 'an object'
  if (value.type !== 'Literal' || value.regex !== undefined) return undefined
  return value.value === null ? 'null' : typeof value.value === 'string' ? 'text' : `a ${typeof value.value}`
}

function joinsCookies(value: Node): boolean {
  const callee = value.type === 'CallExpression' ? child(value, 'callee') : undefined
  const list = child(callee, 'object')
  if (child(callee, 'property')?.name !== 'join' || list?.type !== 'ArrayExpression') return false
  // One cookie is joined from its attributes, too, with "; ".
  const [separator] = children(value, 'arguments')
  const separates = separator === undefined || textOf(separator)?.includes(',') === true
  return separates && children(list, 'elements').length > 1
}

/** Finds headers that the mode of the load balancer ignores. */
function modeFindings(answer: Node, { fn, event }: Handler): readonly Finding[] {
  const properties = writtenProperties(answer)
  const maps = [single, multi].map(map => properties.get(map))
  if (maps.every(map => map?.type === 'ObjectExpression')) return bothMaps(answer, maps as [Node, Node])
  if (event === undefined || propertiesOf(answer) === undefined) return []
  const isMulti = reads(fn, `${event}.${multi}`)
  if (isMulti === reads(fn, `${event}.${single}`) || [single, multi].every(map => writes(fn, map))) return []
  const [own, other] = isMulti ? [multi, single] : [single, multi]
  const ignored = properties.get(other)
  if (
    properties.has(own) ||
    ignored?.type !== 'ObjectExpression' ||
    children(ignored, 'properties').length === 0
  )
    return []
  return [
    found(
      ignored,
      `The handler reads ${event}.${own}, so that multi-value headers are ${isMulti ? 'enabled' : 'disabled'}, and a load balancer then ignores ${other} of the answer. Expected ${own}.`,
      'verdict.other-header-map',
    ),
  ]
}

function bothMaps(answer: Node, maps: readonly [Node, Node]): readonly Finding[] {
  const [ones, lists] = maps.map(propertiesOf)
  if (ones === undefined || lists === undefined) return []
  const names = (map: ReadonlyMap<string, Node>) => new Set([...map.keys()].map(name => name.toLowerCase()))
  const [inOnes, inLists] = [names(ones), names(lists)]
  const lost = [...inOnes, ...inLists].find(name => inOnes.has(name) !== inLists.has(name))
  if (lost === undefined) return []
  return [
    found(
      answer,
      `A load balancer reads one of ${single} and ${multi} and ignores the other, so that ${lost} can be lost. Expected it in both.`,
      'verdict.both-header-maps',
    ),
  ]
}
