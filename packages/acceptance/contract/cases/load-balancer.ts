import { signalbox } from '@signalbox/core'
import {
  loadBalancerFamily,
  loadBalancerNormalizer,
  loadBalancerValidator,
  serialize,
} from '@signalbox/load-balancer'
import { LoadBalancerEvent, MultiValueResponse, SingleValueResponse } from '@signalbox/load-balancer/contract'
import { httpEvent } from '@signalbox/load-balancer/testing'
import type { ContractCase } from '../contract-case.ts'
import { type ContractRow, contractRows } from '../contract-rows.ts'
import { copyOf } from '../copy-of.ts'
import { type FieldDoor, fieldCases, type Place } from '../field-cases.ts'
import { functionSetup } from '../function-setup.ts'
import { httpRules } from './http-rules.ts'
import { ok } from './http-sides.ts'

/** Returns the cases of `docs/contract/load-balancer.md`. */
export function loadBalancerCases(): readonly ContractCase[] {
  return [...fieldCases(fields), ...httpRules()]
}

let answering: unknown
const handler = signalbox({
  family: loadBalancerFamily,
  middlewares: [loadBalancerNormalizer(), loadBalancerValidator()],
  handler: (event: LoadBalancerEvent) => serialize(answering, event),
} as never)
const setup = functionSetup((_event, answer) => answer)

const isMulti = ({ id }: Pick<ContractRow, 'id'>) => /\.multiValue/.test(id)

const fields: FieldDoor = {
  rows: contractRows('load-balancer'),
  placeOf,
  subjectFor(row) {
    const multiValue = isMulti(row)
    const event = httpEvent('GET', '/orders', { multiValue })
    return { event, answer: multiValue ? { ...ok, multiValueHeaders: {} } : { ...ok, headers: {} } }
  },

  async refusal(side, { event, answer }) {
    if (side === 'platform') return setup.refusal(event, answer)
    answering = answer
    return handler(copyOf(event)).then(
      () => undefined,
      error => String(error),
    )
  },

  isValid: ({ event, answer }) =>
    LoadBalancerEvent.is(event) &&
    ('multiValueHeaders' in (event as object) ? MultiValueResponse : SingleValueResponse).is(answer),

  // The event for this field is in multi-value mode, in which the field is required.
  isRequiredHere: ({ id }) => id === 'response.multiValueHeaders',

  samples: {
    // A list is valid as well, because the serializer converts it to the format of the mode.
    'response.headers': {
      wrong: [
        { value: 'text', below: '' },
        { value: { name: { not: 'text' } }, below: '/name' },
      ],
    },
  },

  // The serializer adds the status description, the header map of the mode, and the flag for an encoded body.
  mends: ({ id }, side) =>
    side === 'function' &&
    [
      'response.statusDescription',
      'response.isBase64Encoded',
      'response.multiValueHeaders',
      'response.body',
    ].includes(id),

  // An event without a target group belongs to no family, so the error names no field. The serializer's error names a
  // header, but not its position in a list.
  points: (row, side) =>
    side === 'platform'
      ? placeOf(row).of === 'answer'
      : !['event.requestContext', 'response.statusCode', 'response.multiValueHeaders'].includes(row.id),
}

function placeOf({ id }: Pick<ContractRow, 'id'>): Place {
  const [table, field] = id.split('.') as [string, string]
  return { of: table === 'event' ? 'event' : 'answer', path: [field] }
}
