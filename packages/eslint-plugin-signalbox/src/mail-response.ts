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
  if (!readsMail(program)) return []
  const answers = [...nodesIn(program)].filter(isFunction).flatMap(returnedBy).flatMap(alternatives)
  return answers.flatMap(answer => {
    const actions = answer.type === 'ObjectExpression' ? writtenProperties(answer).get('actions') : undefined
    return actions?.type === 'ArrayExpression' ? actionsFindings(actions) : []
  })
}

/** Returns the values that an expression can have. */
function alternatives(node: Node): readonly Node[] {
  if (node.type !== 'ConditionalExpression') return [node]
  return ['consequent', 'alternate'].flatMap(side => alternatives(child(node, side)!))
}

/** Whether a module surely gets mail events: it reads a field that only they have, or imports the client for whole mails. */
function readsMail(program: Node): boolean {
  for (const node of nodesIn(program)) {
    if (node.type === 'MemberExpression' && pathOf(node)?.at(-1) === 'flowDirection') return true
    if (textOf(node)?.includes('client-workmailmessageflow')) return true
  }
  return false
}

function actionsFindings(actions: Node): readonly Finding[] {
  const decisions = children(actions, 'elements').map(plain)
  if (decisions.length === 0 || !decisions.every(isDecision)) return []
  return [...decisions.flatMap(decisionFindings), ...countFindings(actions, decisions)]
}

/** Whether an element of `actions` has an action of the contract's shape, so that the list is one of decisions. */
function isDecision(element: Node): boolean {
  const action = element.type === 'ObjectExpression' ? writtenProperties(element).get('action') : undefined
  return action?.type === 'ObjectExpression' && writtenProperties(action).has('type')
}

function decisionFindings(decision: Node): readonly Finding[] {
  const type = writtenProperties(writtenProperties(decision).get('action')!).get('type')!
  const name = textOf(type)
  const findings: Finding[] = []
  if (name !== undefined && !Object.hasOwn(actionTypes, name)) {
    const meant = nearest(name, names)
    const expected = meant ?? names.join(', ')
    const row = meant === undefined ? 'response.actions' : `action.${meant}`
    findings.push(
      found(
        type,
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
