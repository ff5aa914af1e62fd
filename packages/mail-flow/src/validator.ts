import { type BeforeMiddleware, validator } from '@signalbox/core'
import type { MailEvent } from './contract/index.ts'
import { mailFlowFamily } from './family.ts'

/** The middleware that checks mail-flow events. Its hook throws InvalidEventError. */
export function mailFlowValidator(): BeforeMiddleware<MailEvent> {
  return validator(mailFlowFamily)
}
