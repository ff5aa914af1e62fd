import type { Codec } from '../io-ts/codec-of.ts'

const confidential = new WeakSet<Codec>()

/**
 * Marks a codec as confidential and returns it. Problems show only the kinds of its values, at any depth, and never the
 * values. Use it for data in which any field can hold a secret.
 * @example
 * ```ts
 * import { formatProblems, problems } from '@signalbox/codec'
 * import { confidentially, object, oneOf, required } from '@signalbox/codec/wire'
 *
 * const Answer = confidentially(object('answer', { choice: required(oneOf('yes', 'no')) }))
 * formatProblems(problems(Answer, { choice: 'maybe' })).includes('maybe') // false
 * ```
 */
export function confidentially<C extends Codec>(codec: C): C {
  confidential.add(codec)
  return codec
}

/** Returns whether `confidentially` marked a codec. */
export function isConfidential(codec: Codec): boolean {
  return confidential.has(codec)
}
