import { problems } from '@signalbox/codec'
import { matching } from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import { UserPoolError } from '../../user-pool-error.ts'
import type { WireAttribute } from '../../users/attributes.ts'

/** The codec for client metadata, which several operations accept. */
export const metadata = t.record(t.string, t.string)
export const attributes = t.array(
  t.intersection([t.type({ Name: t.string }), t.partial({ Value: t.string })]),
)

/** The codec for a name of the API, such as a new group's. */
export const newName = matching<string>(
  '1 to 128 letters, digits, symbols and punctuation marks',
  value => typeof value === 'string' && /^[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,128}$/u.test(value),
)

/** Returns a codec for strings with at most this number of characters. */
export function textOf(most: number): t.Type<string> {
  return matching<string>(
    `a text of at most ${most} characters`,
    value => typeof value === 'string' && value.length <= most,
  )
}

/** Returns a codec for integers in this range. */
export function wholeNumber(least: number, most: number): t.Type<number> {
  return matching<number>(
    `a whole number from ${least} to ${most}`,
    value => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  )
}

/** Returns a codec for objects with these required and optional fields. */
export function fields<R extends t.Props, O extends t.Props>(required: R, optional: O) {
  return t.intersection([t.type(required), t.partial(optional)])
}

/** Converts a list of names and values to an object. */
export function mapOf(list: readonly WireAttribute[]): { readonly [name: string]: string } {
  return Object.fromEntries(list.map(({ Name, Value = '' }) => [Name, Value]))
}

/**
 * Checks and converts the input of an operation.
 * @throws UserPoolError that names every invalid field but contains no values
 */
export function readInput<A>(codec: t.Type<A, unknown, unknown>, input: object): A {
  const wrong = problems(codec, input)
  if (wrong.length === 0) return input as A
  const sentences = wrong.map(({ pointer, expected }) => {
    const name = pointer.slice(1).replaceAll('/', '.')
    const field = `${name[0]?.toLowerCase() ?? ''}${name.slice(1)}`
    const why = isAbsent(input, pointer) ? 'Member must not be null' : `Member must be ${expected}`
    return `Value at '${field}' failed to satisfy constraint: ${why}`
  })
  const count = sentences.length === 1 ? '1 validation error' : `${sentences.length} validation errors`
  throw new UserPoolError('InvalidParameterException', `${count} detected: ${sentences.join('; ')}`)
}

function isAbsent(input: object, pointer: string): boolean {
  let value: unknown = input
  for (const step of pointer.split('/').slice(1))
    value = (value as Record<string, unknown> | undefined)?.[step]
  return value === undefined
}
