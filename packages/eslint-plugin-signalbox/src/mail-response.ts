import { nearest } from '@signalbox/codec'
import { actionTypes, type decisionFields, uniqueActionsLimit } from '@signalbox/mail-flow/contract'
import { type Finding, findingsOf } from './finding.ts'
import {
  child,
  children,
  isFunction,
  type Node,
  nodesIn,
  pathOf,
  plain,
  propertiesOf,
  returnedBy,
  textOf,
  writtenProperties,
} from './syntax.ts'

const found = findingsOf('mail-response', 'mail-flow')
type Field = keyof typeof decisionFields
const forAll = 'allRecipients' satisfies Field
const recipients = 'recipients' satisfies Field
const names = Object.keys(actionTypes)

/** Finds mistakes in decisions about mail (docs/contract/mail-flow.md#response.actions). */
export function mailFindings(program: Node): readonly Finding[] {
  const isMail = readsMail(program)
  const answers = [...nodesIn(program)].filter(isFunction).flatMap(returnedBy).flatMap(alternatives)
  return answers.flatMap(answer => {
    const actions = answer.type === 'ObjectExpression' ? writtenProperties(answer).get('actions') : undefined
    if (actions?.type !== 'ArrayExpression') return []
    const decisions = children(actions, 'elements').map(plain)
    const isDecided = decisions.length > 0 && decisions.every(isDecision)
    // No other service has this field, so that the list is one of decisions whatever the module reads.
    const isSure = isMail || decisions.some(each => propertiesOf(each)?.has(forAll))
    if (!isDecided || !isSure) return []
    return [...decisions.flatMap(decisionFindings), ...countFindings(actions, decisions)]
  })
}

/** Returns the values that an expression can have. */
function alternatives(node: Node): readonly Node[] {
  if (node.type !== 'ConditionalExpression') return [node]
  return ['consequent', 'alternate'].flatMap(side => alternatives(child(node, side)!))
}

/** Whether a module surely gets mail events: it reads a field that only they have, or uses the client for whole mails. */
function readsMail(program: Node): boolean {
  for (const node of nodesIn(program)) {
    const path = node.type === 'MemberExpression' ? pathOf(node) : undefined
    if (path !== undefined && mailPath.test(path.join('.'))) return true
    if (textOf(node)?.includes('client-workmailmessageflow')) return true
  }
  return false
}

const mailPath = /(^|\.)(flowDirection|envelope\.(mailFrom|recipients)|WorkMailMessageFlow)$/

/** Whether an element of `actions` has an action of the contract's shape, so that the list is one of decisions. */
function isDecision(element: Node): boolean {
  const action = element.type === 'ObjectExpression' ? writtenProperties(element).get('action') : undefined
  return action?.type === 'ObjectExpression' && writtenProperties(action).has('type')
}

function decisionFindings(decision: Node): readonly Finding[] {
  const type = writtenProperties(writtenProperties(decision).get('action')!).get('type')!
  const findings: Finding[] = []
  for (const each of alternatives(type)) {
    const name = textOf(each)
    if (name === undefined || Object.hasOwn(actionTypes, name)) continue
    const meant = nearest(name, names)
    const expected = meant ?? names.join(', ')
    const row = meant === undefined ? 'response.actions' : `action.${meant}`
    findings.push(
      found(
        each,
        `${name} is no action, so that the fallback action of the rule applies. Expected ${expected}.`,
        row,
      ),
    )
  }
  const properties = propertiesOf(decision)
  if (properties === undefined || properties.has(forAll) || properties.has(recipients)) return findings
  const wrong = [...properties.keys()].find(key => nearest(key, [forAll, recipients]) !== undefined)
  const text = `The action has no recipients, so that it has no effect. Expected ${forAll}: true or ${recipients}`
  const row = wrong === undefined ? 'verdict.no-recipients' : 'verdict.misspelt-field'
  return [...findings, found(decision, wrong === undefined ? `${text}.` : `${text}, not ${wrong}.`, row)]
}

/** Finds a list with more actions than count. Only actions whose whole text is written there are compared. */
function countFindings(actions: Node, decisions: readonly Node[]): readonly Finding[] {
  const texts = decisions.map(decision => staticText(writtenProperties(decision).get('action')!))
  const unique = new Set(texts)
  if (unique.has(undefined) || unique.size <= uniqueActionsLimit) return []
  return [
    found(
      actions,
      `The list has ${unique.size} different actions. At most ${uniqueActionsLimit} count, and the fallback action applies to the recipients of the others.`,
      'verdict.ten-actions',
    ),
  ]
}

/** Returns a text that two values of literals share only if they are equal, or undefined for other expressions. */
function staticText(value: Node): string | undefined {
  if (value.type === 'Literal') return JSON.stringify(value.value)
  const properties = value.type === 'ObjectExpression' ? propertiesOf(value) : undefined
  if (properties === undefined) return undefined
  const parts = [...properties]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => [name, staticText(each)])
  return parts.every(([, text]) => text !== undefined) ? JSON.stringify(parts) : undefined
}
