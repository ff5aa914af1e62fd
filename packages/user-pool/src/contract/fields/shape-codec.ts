import * as wire from '@signalbox/codec/wire'
import type { Mixed } from 'io-ts'
import { isClaimValue } from '../conditions.ts'
import type { Seen } from './field.ts'
import type { Fields, Shape } from './shape.ts'

const jsonMap = wire.object('object', {})
const textMap = wire.map(wire.string)
const claimMap = wire.map(
  wire.where(wire.anything, isClaimValue, 'JSON without null'),
  'map of string to JSON',
)

/** Returns the codec of a shape. Different shapes may have the same codec. */
export function shapeCodec(shape: Shape<unknown>): Mixed {
  switch (shape.kind) {
    case 'text':
      return wire.string
    case 'flag':
      return wire.boolean
    case 'one-of':
      return wire.oneOf(...shape.values!)
    case 'list':
      return wire.list(shapeCodec(shape.items!))
    case 'text-map':
      return textMap
    case 'json-map':
      return jsonMap
    case 'claim-map':
      return claimMap
    case 'object':
      return codecOf(shape.name!, shape.fields!)
  }
}

/** Returns the codec of an object with these fields. Unknown fields are kept. */
export function codecOf<F extends Fields>(name: string, fields: F): wire.ObjectCodec<Seen<F>> {
  const rows = Object.entries(fields).map(([key, field]) => [
    key,
    field && { codec: shapeCodec(field.shape), required: field.required, nullable: true },
  ])
  return wire.object<Seen<F>>(name, Object.fromEntries(rows))
}
