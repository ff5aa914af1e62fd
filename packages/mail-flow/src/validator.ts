import { type BeforeMiddleware, validator } from '@signalbox/core'
import type { MailEvent } from './contract/index.ts'
import { mailFlowFamily } from './family.ts'

/** The middleware that holds mail-flow events against the contract. Its hook throws InvalidEventError. */
export function mailFlowValidator(): BeforeMiddleware<MailEvent> {
  return validator(mailFlowFamily)
}
