import { fieldHint, isObject, nearest, type Problem, pointerTo } from '@signalbox/codec'
import { fieldNames } from './ready.ts'

const actionNames = ['type', 'parameters']

// The places of fields that a response would lose at another place. Parameters of any name are allowed.
const besideAction = 'beside action, in an element of actions'
const places: ReadonlyMap<string, string> = new Map([
  ['recipients', besideAction],
  ['allRecipients', besideAction],
  ['parameters', 'inside action'],
  ['bounceMessage', 'inside the parameters of action'],
])

/**
 * Returns the unknown fields of a response whose names resemble names in the contract, and fields at the wrong place.
 * These are probably mistakes, and would change the effect of the response. Other unknown fields are allowed. Never
 * throws. See docs/contract/mail-flow.md#verdict.misspelt-field.
 */
export function misspeltFields(response: unknown): Problem[] {
  const problems: Problem[] = []
  const look = (value: unknown, names: readonly string[], ...path: readonly (string | number)[]) => {
    if (!isObject(value)) return {}
    for (const name of Object.keys(value)) {
      if (names.includes(name)) continue
      const place = path.at(-1) === 'parameters' ? undefined : places.get(name)
      if (place !== undefined || nearest(name, names) !== undefined)
        problems.push({
          pointer: pointerTo(...path, name),
          expected: place === undefined ? fieldHint(name, names) : `${name} ${place}`,
          actual: place === undefined ? 'a field' : 'at another place',
        })
    }
    return value
  }
  const { actions } = look(response, fieldNames.response)
  if (!Array.isArray(actions)) return problems
  for (const [position, decision] of actions.entries()) {
    const path = ['actions', position] as const
    const { action, type: misplaced, default: forOthers } = look(decision, fieldNames.decision, ...path)
    if (forOthers !== undefined)
      problems.push({
        pointer: pointerTo(...path, 'default'),
        expected: 'allRecipients: true for an action that is for all other recipients',
        actual: 'a field that the service does not read',
      })
    if (action === undefined && misplaced !== undefined)
      problems.push({
        pointer: pointerTo(...path, 'type'),
        expected: 'it inside action: action: { type: … }',
        actual: 'beside it',
      })
    const { type, parameters } = look(action, actionNames, ...path, 'action')
    look(parameters, parameterNames(type), ...path, 'action', 'parameters')
  }
  return problems
}

function parameterNames(type: unknown): readonly string[] {
  return typeof type === 'string' && Object.hasOwn(fieldNames.parameters, type)
    ? fieldNames.parameters[type]!
    : []
}
