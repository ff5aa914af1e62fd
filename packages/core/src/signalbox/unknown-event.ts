import { isObject } from '@signalbox/codec'
import { withHints } from '../development.ts'
import { UnknownEventError } from '../errors.ts'
import type { Family } from '../plugin.ts'
import { closestFamily } from './closest-family.ts'

/**
 * Returns the error for an event that these families do not recognize. The error says what the event resembles, and
 * what to do.
 */
export function unknownEvent(event: unknown, families: readonly Family[]): UnknownEventError {
  const names = families.map(({ name }) => name).join(', ')
  return new UnknownEventError(`${describe(event)} This handler serves ${names}.${advise(event, families)}`)
}

function describe(event: unknown): string {
  if (typeof event === 'string')
    return 'The event is a string, expected the object that JSON.parse makes of it.'
  if (isObject(event)) return 'No plugin of this handler recognizes the event.'
  const kind = event === null ? 'null' : Array.isArray(event) ? 'an array' : `a ${typeof event}`
  return `The event is ${kind}, expected an object.`
}

function advise(event: unknown, families: readonly Family[]): string {
  if (!isObject(event)) return ''
  // A condition that is `withHints()` alone costs a production bundle nothing.
  if (withHints()) {
    const hint = hintFor(event, families)
    if (hint) return ` ${hint}`
  }
  const keys = Object.keys(event).slice(0, 8)
  if (keys.length === 0) return ' It has no fields.'
  const fields = ` It has ${keys.join(', ')}.`
  if (!withHints()) return fields
  return `${fields} Add the plugin of its family, or see which that is with: signalbox check`
}

function hintFor(event: object, families: readonly Family[]): string | undefined {
  for (const { hint } of families) {
    const sentence = hint?.(event)
    if (sentence !== undefined) return sentence
  }
  const nearest = closestFamily(event, families)
  return (
    nearest &&
    `It looks most like a ${nearest.family} event, since it has ${nearest.commonFields.join(', ')}, but the field that identifies one is missing or different.`
  )
}
