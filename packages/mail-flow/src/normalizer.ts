import { type Middleware, normalizer } from '@signalbox/core'
import { mailFlowFamily } from './family.ts'

/** The middleware that absorbs drift in mail-flow events, so that everything after it sees one shape. */
export function mailFlowNormalizer(): Middleware {
  return normalizer(mailFlowFamily)
}
