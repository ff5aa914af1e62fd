import { pointerTo, type StandardSchema, validateAsync } from '@signalbox/codec'
import { isLater } from '@signalbox/codec/ready'
import { InvalidOptionError } from '@signalbox/core'
import type * as t from 'io-ts'
import { fieldNames } from './text-input.ts'

/**
 * Checks that the codec of the path parameters needs only parameters that the path has.
 * @param params an object with the parameters of the path
 * @throws InvalidOptionError for a codec with another field that is not optional, because no request would fit
 */
export function checkParams(where: string, codec: t.Mixed | StandardSchema, params: object): void {
  const others = fieldNames(codec).filter(name => !Object.hasOwn(params, name))
  if (others.length === 0) return
  const result = validateAsync(codec, params)
  if (isLater(result) || result._tag === 'Right') return
  const pointers = result.left.map(({ pointer }) => pointer)
  const missing = others.find(name => pointers.includes(pointerTo(name)))
  if (missing === undefined) return
  const names = Object.keys(params)
  const has = names.length === 0 ? 'has no parameters' : `has the parameters ${names.join(', ')}`
  throw new InvalidOptionError(
    `${where}: params.${missing} is not a parameter of the path, which ${has}, so that no request would fit`,
  )
}
