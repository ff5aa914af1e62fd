import { MailEvent, MailResponse } from '@signalbox/mail-flow/contract'
import { mailEvent } from '@signalbox/mail-flow/testing'
import type { ContractCase } from '../contract-case.ts'
import { type ContractRow, contractRows } from '../contract-rows.ts'
import { type FieldDoor, fieldCases, type Place } from '../field-cases.ts'
import { functionSetup } from '../function-setup.ts'
import { bob, decision, letOut, response } from './mail-answers.ts'
import { mailLimits } from './mail-limits.ts'
import { mailRules } from './mail-rules.ts'

/** Returns the cases of `docs/contract/mail-flow.md`. */
export function mailFlowCases(): readonly ContractCase[] {
  return [...fieldCases(fields), ...mailRules(), ...mailLimits()]
}

const setup = functionSetup((_event, answer) => answer)

const fields: FieldDoor = {
  rows: contractRows('mail-flow'),
  placeOf,
  subjectFor: () => ({
    event: mailEvent({ recipients: [bob], authentication: { spf: { result: 'pass' } } }),
    answer: response(decision('DROP')),
  }),

  async refusal(side, { event, answer }) {
    if (side === 'platform') return setup.refusal(event, answer)
    return letOut(event as object, answer).then(
      () => undefined,
      error => String(error),
    )
  },

  isValid: ({ event, answer }) => MailEvent.is(event) && MailResponse.is(answer),

  tables: {
    envelope: 'envelope',
    client: 'client',
    authentication: 'authentication',
    'authentication result': 'result',
  },

  samples: {
    // The normalizer fills in an absent address.
    'event.sender': {
      wrong: [
        { value: 'ann@office.example', below: '' },
        { value: { address: { not: 'text' } }, below: '/address' },
      ],
    },
    // The texts "true" and "false" count as booleans.
    'decision.allRecipients': {
      wrong: [
        { value: 'yes', below: '' },
        { value: { not: 'text' }, below: '' },
      ],
    },
  },

  // The normalizer replaces null in these fields, and an absent sender, with an empty value.
  mends: ({ id }, _side, missing) =>
    id === 'event.sender' || (missing === 'null' && (id === 'event.subject' || id === 'event.truncated')),

  // The platform does not recognize the family of an event that breaks the contract.
  points: (row, side) => placeOf(row).of === 'answer' || (side === 'function' && row.id !== 'event.envelope'),
}

function placeOf({ id }: Pick<ContractRow, 'id'>): Place {
  const [table, field] = id.split('.') as [string, string]
  switch (table) {
    case 'envelope':
      return { of: 'event', path: ['envelope', field] }
    case 'client':
    case 'authentication':
      return { of: 'event', path: [table, field] }
    case 'result':
      return { of: 'event', path: ['authentication', 'spf', field] }
    case 'decision':
      return { of: 'answer', path: ['actions', 0, field] }
    default:
      return { of: table === 'event' ? 'event' : 'answer', path: [field] }
  }
}
