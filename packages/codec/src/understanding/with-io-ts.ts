import { examine } from '../check/walk.ts'
import { inWords } from '../check/words.ts'
import { guardOf } from '../guard/guard-of.ts'
import { transforms } from '../io-ts/transforms.ts'
import type { Understanding } from './understanding.ts'

/** Understands io-ts codecs and the codecs of this package. */
export const withIoTs: Understanding = { guardOf, transforms, examine, inWords }
