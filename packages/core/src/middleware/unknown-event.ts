import { isObject, kindOf } from '@signalbox/codec'
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
  if (isObject(event)) return 'No plugin of this handler recognizes the event.'
  const expected =
    process.env.NODE_ENV !== 'production' && typeof event === 'string'
      ? 'the object that JSON.parse makes of it'
      : 'an object'
  return `The event is ${kindOf(event)}, expected ${expected}.`
}

function advise(event: unknown, families: readonly Family[]): string {
  if (Array.isArray(event))
    return (process.env.NODE_ENV !== 'production' && hintOfFamily(event, families)) || ''
  if (!isObject(event)) return ''
  const keys = Object.keys(event).slice(0, 8)
  const fields = keys.length === 0 ? ' It has no fields.' : ` The event has the fields ${keys.join(', ')}.`
  return (
    (process.env.NODE_ENV !== 'production' &&
      hintFor(event, families, keys.length > 0 ? fields : undefined)) ||
    fields
  )
}

/** Returns a sentence that says more than the fields of the event, or undefined if there is nothing more to say. */
function hintFor(event: object, families: readonly Family[], fields: string | undefined): string | undefined {
  const sentence = hintOfFamily(event, families)
  if (sentence !== undefined) return sentence
  const nearest = closestFamily(event, families)
  if (nearest) {
    const family = families.find(({ name }) => name === nearest.family)
    const missing = family?.identifiedBy ?? 'the field that identifies one'
    return ` It looks most like a ${nearest.family} event, since it has ${nearest.commonFields.join(', ')}, but ${missing} is missing or different.`
  }
  return fields && `${fields} Add the plugin of its family, or see which that is with: signalbox check`
}

function hintOfFamily(event: object, families: readonly Family[]): string | undefined {
  for (const { hint } of families) {
    const sentence = hint?.(event)
    if (sentence !== undefined) return ` ${sentence}`
  }
  return undefined
}
