import { anything, byTag, list, oneOf, optional, required, string, where } from '@signalbox/codec/wire'
import type { Type, TypeOf } from 'io-ts'
import { hasActions, isBoolean } from './conditions.ts'
import { type Described, describedBy, type Fields } from './fields.ts'

/** A row of the table of actions. */
export interface ActionType {
  readonly parameters: Fields
  /** Whether the action is not allowed for outbound mail. */
  readonly inboundOnly: boolean
  /** True for actions that are not in the contract. */
  readonly extension?: true
}

/** The values of `actions[].action.type`: docs/contract/mail-flow.md#response. */
export const actionTypes = {
  // The mail is returned to its sender with this text.
  BOUNCE: { parameters: { bounceMessage: optional(string) }, inboundOnly: false },
  // The mail is discarded.
  DROP: { parameters: {}, inboundOnly: false },
  // The mail is delivered as usual.
  DEFAULT: { parameters: {}, inboundOnly: false },
  // The mail is delivered without a spam check.
  BYPASS_SPAM_CHECK: { parameters: {}, inboundOnly: true, extension: true },
  // The mail is delivered into the junk folder.
  MOVE_TO_JUNK: { parameters: {}, inboundOnly: true, extension: true },
} as const satisfies Readonly<Record<string, ActionType>>

type ActionTypes = typeof actionTypes
/** The type of an action, such as `DROP`. */
export type ActionName = keyof ActionTypes

/** An action without its recipients: a type and, for some types, parameters. */
export type MailAction = {
  [N in ActionName]: {
    readonly type: N
    readonly parameters?: Described<ActionTypes[N]['parameters']> | null | undefined
  }
}[ActionName]

const actionCodecs = Object.entries(actionTypes).map(([name, { parameters }]) => [
  name,
  describedBy(`${name} action`, {
    type: required(oneOf(name)),
    parameters: optional(describedBy('parameters', parameters)),
  }),
])

/** The codec of an action, with one case for each row of `actionTypes`. */
export const MailAction: Type<MailAction> = byTag('action', 'type', Object.fromEntries(actionCodecs)) as never

/** The fields of an element of `actions`: docs/contract/mail-flow.md#response. */
export const decisionFields = {
  /** The action: an object with `type` and, for some types, `parameters`. */
  action: required(MailAction),
  /** The recipients that the action is for. */
  recipients: optional(list(string, 'list of addresses')),
  /** Whether the action is for all recipients that no other action lists (extension). */
  allRecipients: optional(where(anything, isBoolean, 'boolean') as Type<boolean>),
}

/** An element of `actions`: an action and its recipients. */
export const MailDecision = describedBy('decision', decisionFields)
export interface MailDecision extends TypeOf<typeof MailDecision> {}

const decisions = where(list(MailDecision), hasActions, 'list of at least 1 element')

/** The fields of a response: docs/contract/mail-flow.md#response. */
export const mailResponseFields = {
  /** The actions to take on the mail. */
  actions: required(decisions),
}

/** The response of a synchronous function. */
export const MailResponse = describedBy('mail-flow response', mailResponseFields)
export interface MailResponse extends TypeOf<typeof MailResponse> {}
