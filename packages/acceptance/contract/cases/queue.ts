import { signalbox } from '@signalbox/core'
import { queue } from '@signalbox/queue'
import { BatchResponse, QueueEvent } from '@signalbox/queue/contract'
import { queueEvent } from '@signalbox/queue/testing'
import type { ContractCase } from '../contract-case.ts'

import { type ContractRow, contractRows } from '../contract-rows.ts'
import { copyOf } from '../copy-of.ts'
import { type FieldDoor, fieldCases, type Place, type Subject } from '../field-cases.ts'
import { functionSetup } from '../function-setup.ts'
import { letOut } from './queue-answers.ts'
import { queueRules } from './queue-rules.ts'

/** Returns the cases of `docs/contract/queue.md`. */
export function queueCases(): readonly ContractCase[] {
  return [...fieldCases(fields), ...queueRules()]
}

let reason: unknown
const handler = signalbox(
  queue({
    onMessage: () => {},
    onFailure: (_, why) => {
      reason = why
    },
  }),
)
const setup = functionSetup((_event, answer) => answer)
const itemIdentifier = queueEvent({ bodies: ['a'] }).Records[0]!.messageId

const fields: FieldDoor = {
  rows: contractRows('queue'),
  placeOf,
  subjectFor({ id }): Subject {
    const event = queueEvent({ bodies: ['a'] })
    if (id.startsWith('messageAttributes.'))
      Object.assign(event.Records[0]!.messageAttributes, {
        colour: { dataType: 'String', stringValue: 'red' },
      })
    return { event, answer: { batchItemFailures: id.startsWith('failure.') ? [{ itemIdentifier }] : [] } }
  },

  async refusal(side, { event, answer }) {
    if (side === 'platform') return setup.refusal(event, answer)
    reason = undefined
    try {
      await handler(copyOf(event))
      await letOut(event as QueueEvent, answer)
    } catch (error) {
      return String(error)
    }
    // Only the unreadable record fails, and the JSON pointers in the reason are relative to that record.
    return reason === undefined ? undefined : String(reason).replaceAll('\n/', '\n/Records/0/')
  },

  isValid: ({ event, answer }) => QueueEvent.is(event) && BatchResponse.is(answer),

  tables: {
    'queue record': 'record',
    attributes: 'attributes',
    'message attribute': 'messageAttributes',
    'batch item failure': 'failure',
  },

  samples: {
    'response.batchItemFailures': { right: [[], [{ itemIdentifier }]] },
    'failure.itemIdentifier': { right: [itemIdentifier] },
  },

  // The normalizer adds missing message attributes. The platform treats a missing list in an answer as an empty list.
  mends: ({ id }, side) =>
    id === 'record.messageAttributes' || (id === 'response.batchItemFailures' && side === 'platform'),

  // An event without records, or with records of another service, belongs to no known family.
  points: ({ id }, side) =>
    side === 'function' &&
    placeOf({ id }).of === 'event' &&
    !['event.Records', 'record.eventSource'].includes(id),
}

function placeOf({ id }: Pick<ContractRow, 'id'>): Place {
  const [table, field] = id.split('.') as [string, string]
  const inRecord = (...path: string[]): Place => ({ of: 'event', path: ['Records', 0, ...path] })
  switch (table) {
    case 'record':
      return inRecord(field)
    case 'attributes':
      return inRecord('attributes', field)
    case 'messageAttributes':
      return inRecord('messageAttributes', 'colour', field)
    case 'failure':
      return { of: 'answer', path: ['batchItemFailures', 0, field] }
    default:
      return { of: table === 'event' ? 'event' : 'answer', path: [field] }
  }
}
