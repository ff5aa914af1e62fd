// The parts of the contract tables that functions use at run time. The package build replaces this module with
// generated guards, problem tables and lists, so that a function does not compute them when it starts. See
// docs/decisions/codecs-and-guards.md#guards-written-at-build.
import { prepare } from '@signalbox/codec/ahead'
import { MailEvent } from './event.ts'
import { actionTypes, decisionFields, MailResponse, mailResponseFields } from './response.ts'

export const readyEvent = prepare(MailEvent)
export const readyResponse = prepare(MailResponse)

const actions = Object.entries(actionTypes)

/** The names of the actions that outbound mail cannot have. */
export const inboundOnlyActions: readonly string[] = actions
  .filter(([, { inboundOnly }]) => inboundOnly)
  .map(([name]) => name)

/** The names of the fields of a response, of an element of `actions`, and of the parameters of each action. */
export const fieldNames: {
  readonly response: readonly string[]
  readonly decision: readonly string[]
  readonly parameters: { readonly [action: string]: readonly string[] }
} = {
  response: Object.keys(mailResponseFields),
  decision: Object.keys(decisionFields),
  parameters: Object.fromEntries(actions.map(([name, { parameters }]) => [name, Object.keys(parameters)])),
}
