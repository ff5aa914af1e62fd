import { type BeforeMiddleware, normalizer } from '@signalbox/core'
import type { MailEvent } from './contract/index.ts'
import { mailFlowFamily } from './family.ts'

/** The middleware that absorbs drift in mail-flow events, so that later middlewares see one shape. */
export function mailFlowNormalizer(): BeforeMiddleware<MailEvent> {
  return normalizer(mailFlowFamily)
}
