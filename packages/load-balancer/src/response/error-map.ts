import { InvalidOptionError, showOption } from '@signalbox/core'
import { HttpError } from './http-error.ts'
import { isForClient } from './problem.ts'
import { type Answer, isAnswer } from './reply.ts'

/**
 * Maps the errors of an application to answers: either an object with a status for each `name`, `code`,
 * `_tag` or class of an error, or a function that gets the error and returns a status, an `HttpError`, an
 * answer such as `problem(409, …)`, or undefined for an unknown error. With a status below 500, the client
 * gets the message of the error.
 */
export type ErrorMap =
  | { readonly [name: string]: number }
  | ((error: unknown) => number | HttpError | Answer | undefined)

/**
 * Checks an error map.
 * @throws InvalidOptionError unless it is a map of statuses or a function
 */
export function checkErrorMap(where: string, errors: ErrorMap | undefined): void {
  if (errors === undefined || typeof errors === 'function') return
  if (typeof errors !== 'object' || errors === null) {
    throw new InvalidOptionError(
      `${where}: errors is not an object, such as { OutOfStock: 409 }, or a function`,
    )
  }
  for (const [name, status] of Object.entries(errors)) {
    if (Number.isInteger(status) && status >= 400 && status <= 599) continue
    throw new InvalidOptionError(
      `${where}: errors.${name} is ${showOption(status)}, expected a status from 400 to 599`,
    )
  }
}

/**
 * Looks up an error in error maps, the innermost first. An error that is already meant for the client is not
 * mapped.
 * @returns an answer, if a map returns one
 * @throws the HttpError that a map makes from the error, or otherwise the error itself
 */
export function mapError(maps: readonly ErrorMap[], error: unknown): Answer {
  if (isForClient(error)) throw error
  for (const map of maps) {
    const mapped = typeof map === 'function' ? map(error) : statusIn(map, error)
    if (mapped === undefined) continue
    if (mapped instanceof HttpError) throw mapped
    if (isAnswer(mapped)) return mapped
    throw new HttpError(mapped, messageOf(error), { cause: error })
  }
  throw error
}

function statusIn(map: { readonly [name: string]: number }, error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { name, code, _tag } = error as Record<string, unknown>
  const known = [name, code, _tag, error.constructor?.name].find(
    each => typeof each === 'string' && Object.hasOwn(map, each),
  )
  return known === undefined ? undefined : map[known as string]
}

function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : ''
}
