import { examine } from '../check/walk.ts'
import { inWords } from '../check/words.ts'
import { guardOf } from '../guard/guard-of.ts'
import { transforms } from '../io-ts/transforms.ts'
import { schemaCodec } from '../standard/schema-codec.ts'
import type { Understanding } from './understanding.ts'

/** Understands io-ts codecs, the codecs of this package, and schemas of other libraries. */
export const withIoTs: Understanding = { guardOf, transforms, examine, inWords, schemaCodec }
