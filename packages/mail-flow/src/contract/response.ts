import * as t from 'io-ts'
import { type Described, describedBy, type Field, type Fields } from './fields.ts'
import { actionsMinimum } from './limits.ts'

/** What can be done with a mail for a recipient. */
export interface ActionType {
  readonly parameters: Fields
  /** Whether mail on its way out of the organization cannot have it. */
  readonly inboundOnly: boolean
  readonly meaning: string
  /** Set on what the contract does not say and Signalbox decided. */
  readonly extension?: true
}

/** The values of `actions[].action.type` (contract, Endpoints C). */
export const actionTypes = {
  BOUNCE: {
    parameters: {
      bounceMessage: { type: t.string, required: false, meaning: 'Text placed in the bounce mail' },
    },
    inboundOnly: false,
    meaning: 'The mail goes back to its sender',
  },
  DROP: { parameters: {}, inboundOnly: false, meaning: 'The mail vanishes' },
  DEFAULT: { parameters: {}, inboundOnly: false, meaning: 'The mail goes its usual way' },
  BYPASS_SPAM_CHECK: {
    parameters: {},
    inboundOnly: true,
    meaning: 'The mail is delivered without a spam check',
    extension: true,
  },
  MOVE_TO_JUNK: {
    parameters: {},
    inboundOnly: true,
    meaning: 'The mail is delivered into the junk folder',
    extension: true,
  },
} as const satisfies Readonly<Record<string, ActionType>>

type ActionTypes = typeof actionTypes
export type ActionName = keyof ActionTypes

/** An action without its recipients: a type and, for some, parameters. */
export type MailAction = {
  [N in ActionName]: {
    readonly type: N
    readonly parameters?: Described<ActionTypes[N]['parameters']> | null | undefined
  }
}[ActionName]

const actionCodecs = Object.entries(actionTypes).map(([name, row]) =>
  describedBy(`${name} action`, {
    type: { type: t.literal(name), required: true, meaning: row.meaning },
    parameters: {
      type:
        Object.keys(row.parameters).length === 0
          ? t.UnknownRecord
          : describedBy('parameters', row.parameters),
      required: false,
      meaning: 'What the action needs to know',
    },
  } satisfies Fields),
)

/** The codec of an action, one case for every row of `actionTypes`. */
export const MailAction = t.union(actionCodecs as never, 'action') as unknown as t.Type<MailAction>

/** The fields of an element of `actions` (contract, Endpoints C). */
export const decisionFields = {
  action: { type: MailAction, required: true, meaning: 'What to do' },
  recipients: {
    type: t.readonlyArray(t.string, 'list of addresses'),
    required: false,
    meaning: 'Recipients the action applies to',
  },
  allRecipients: {
    type: t.boolean,
    required: false,
    meaning: 'Whether the action applies to all recipients that no other action names',
  },
} as const satisfies Readonly<Record<string, Field>>

/** An element of `actions`: an action and whom it is for. */
export const MailDecision = describedBy('decision', decisionFields)
export interface MailDecision extends t.TypeOf<typeof MailDecision> {}

/** The fields of a response (contract, Endpoints C). */
export const mailResponseFields = {
  actions: {
    type: t.refinement(
      t.readonlyArray(MailDecision),
      actions => actions.length >= actionsMinimum,
      'list of at least 1 element',
    ),
    required: true,
    meaning: 'Actions to take',
  },
} as const satisfies Fields

/** What a synchronous function answers (contract, Endpoints C). */
export const MailResponse = describedBy('mail-flow response', mailResponseFields)
export interface MailResponse extends t.TypeOf<typeof MailResponse> {}
