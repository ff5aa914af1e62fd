import type { Problem } from '@signalbox/codec'
import {
  fieldProblems,
  mapProblems,
  nestedProblems,
  type UncheckedObject,
} from '@signalbox/platform-runtime/config'
import { standardAttributes } from '../standard-attributes.ts'
import { triggerProblems } from './trigger-problems.ts'
import {
  clientFields,
  groupFields,
  mfaFields,
  passkeyFields,
  passwordFields,
  refreshFields,
  userPoolFields,
} from './user-pool-fields.ts'

/** All problems of a pool. */
export function userPoolProblems(
  part: UncheckedObject,
  pointer: string,
  functions: UncheckedObject,
): readonly Problem[] {
  return [
    ...fieldProblems(userPoolFields, part, pointer),
    ...triggerProblems(part, pointer, functions),
    ...nestedProblems(part, 'password', passwordFields, pointer),
    ...nestedProblems(part, 'mfa', mfaFields, pointer),
    ...nestedProblems(part, 'passkeys', passkeyFields, pointer),
    ...mapProblems(part.groups, `${pointer}/groups`, (group, at) => fieldProblems(groupFields, group, at)),
    ...mapProblems(part.clients, `${pointer}/clients`, (client, at) => [
      ...fieldProblems(clientFields, client, at),
      ...nestedProblems(client, 'refresh', refreshFields, at),
    ]),
    ...requiredProblems(part, pointer),
  ]
}

function requiredProblems({ required, custom }: UncheckedObject, pointer: string): readonly Problem[] {
  if (!Array.isArray(required)) return []
  return required.flatMap((name, at) => {
    if (typeof name !== 'string' || standardAttributes.includes(name)) return []
    const isCustom =
      typeof custom === 'object' && custom !== null && Object.hasOwn(custom, name.replace(/^custom:/, ''))
    const expected = isCustom
      ? 'a standard attribute: custom ones cannot be required'
      : `a standard attribute: one of ${standardAttributes.join(', ')}`
    return [{ pointer: `${pointer}/required/${at}`, expected, actual: JSON.stringify(name) }]
  })
}

/** Pools and clients are found by their ids, so each id must be unique. */
export function sharedIds(
  ids: readonly { readonly id: string; readonly pointer: string; readonly what: string }[],
): readonly Problem[] {
  const seen = new Map<string, string>()
  return ids.flatMap(({ id, pointer, what }) => {
    const first = seen.get(id)
    seen.set(id, first ?? what)
    if (first === undefined) return []
    return [
      { pointer: `${pointer}/id`, expected: `an id of its own, since ${first} has this one`, actual: id },
    ]
  })
}
