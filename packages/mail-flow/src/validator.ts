import { type Middleware, validator } from '@signalbox/core'
import { mailFlowFamily } from './family.ts'

/** The middleware that holds mail-flow events against the contract. Its hook throws InvalidEventError. */
export function mailFlowValidator(): Middleware {
  return validator(mailFlowFamily)
}
