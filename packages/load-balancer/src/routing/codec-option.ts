import { isObject, type StandardSchema } from '@signalbox/codec'
import { isOldZod, isSchema, oldZod } from '@signalbox/codec/ready'
import { InvalidOptionError } from '@signalbox/core'
import type * as t from 'io-ts'

/** Returns whether a value is a codec of io-ts or a Standard Schema. */
export function isCodec(value: unknown): value is t.Mixed | StandardSchema {
  const { is, validate } = (value ?? {}) as Partial<t.Mixed>
  return (typeof is === 'function' && typeof validate === 'function') || isSchema(value)
}

/** Returns the error for an option that must be a codec. `subject` names the option, such as `byType(): text/csv`. */
export function notACodec(subject: string, value: unknown): InvalidOptionError {
  const hint = process.env.NODE_ENV !== 'production' ? `: ${hintFor(value)}` : ''
  return new InvalidOptionError(`${subject} is neither a codec of io-ts nor a Standard Schema${hint}`)
}

function hintFor(value: unknown): string {
  if (isOldZod(value)) return `it is ${oldZod}`
  const isFields = isObject(value) && Object.values(value).some(isCodec)
  return isFields ? 'write t.type({ … }) around its fields' : 'such as t.type({ id: t.string })'
}
