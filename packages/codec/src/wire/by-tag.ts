import type { Type, TypeOf } from 'io-ts'
import { type Codec, isObject } from '../structure.ts'
import { wireCodec } from './wire-codec.ts'

/** An object of several kinds, of which its field `tag` names one. */
export function byTag<B extends { readonly [value: string]: Codec }>(
  name: string,
  tag: string,
  branches: B,
): Type<TypeOf<B[keyof B]>> {
  const parts = Object.values(branches)
  const values = Object.keys(branches).map(value => [value])
  return wireCodec(name, { kind: 'tagged', parts, tag, values }, u => {
    if (!isObject(u)) return false
    const value = u[tag]
    const branch = typeof value === 'string' && Object.hasOwn(branches, value) ? branches[value] : undefined
    return branch?.is(u) ?? false
  })
}
