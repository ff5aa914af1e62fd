import { signalbox } from '@signalbox/core'
import { userPool } from '@signalbox/user-pool'
import {
  knownSource,
  returnedProblems,
  type Source,
  sourcesOf,
  triggerEventCodec,
} from '@signalbox/user-pool/contract'
import { triggerEvent } from '@signalbox/user-pool/testing'
import { leastAnswers } from '@signalbox/user-pool/testing/least-answers'
import type { ContractCase } from '../contract-case.ts'
import { type ContractRow, contractRows } from '../contract-rows.ts'
import { type FieldDoor, fieldCases, type Place, type Subject } from '../field-cases.ts'
import { functionSetup } from '../function-setup.ts'
import { poolRules } from './user-pool-rules.ts'
import { poolValues } from './user-pool-values.ts'

/** Returns the cases of `docs/contract/user-pool.md`. */
export function userPoolCases(): readonly ContractCase[] {
  return [...fieldCases(fields), ...poolRules(), ...poolValues()]
}

let route: () => unknown
const handler = signalbox(userPool({ otherwise: () => route() as never }))
const setup = functionSetup((event: object, answer) => ({ ...event, response: answer }))

const fields: FieldDoor = {
  rows: contractRows('user-pool'),
  placeOf,
  subjectFor,

  async refusal(side, { event, answer }) {
    if (side === 'platform') return setup.refusal(event, answer)
    route = () => answer
    return handler(event).then(
      () => undefined,
      error => String(error),
    )
  },

  isValid({ event, answer }) {
    const returned = { ...(event as object), response: answer }
    return triggerEventCodec.is(event) && returnedProblems(returned, event).length === 0
  },

  samples: {
    'common.triggerSource': { right: ['PreSignUp_SignUp', 'PreSignUp_AdminCreateUser'] },
    // A message text must contain the placeholder for the code.
    'CustomMessage.response.smsMessage': { right: ['Your code is {####}.'] },
    'CustomMessage.response.emailMessage': { right: ['Your code is {####}.'] },
  },

  // The normalizer fills in these fields if they are missing, for example maps that can be absent.
  mends(row) {
    const { of, path } = placeOf(row)
    if (of === 'answer') return false
    if (path[0] !== 'request') return path[0] === 'response' || path.length === 2
    const shape = path.length === 2 ? knownSource(sourceFor(row))!.request[path[1]!]?.shape : undefined
    return shape?.filled === true
  },

  // The platform recognizes an event only if its trigger source is a string.
  points: (row, side) =>
    placeOf(row).of === 'answer' || (side === 'function' && row.id !== 'common.triggerSource'),
}

/** Returns a trigger source of the row's trigger, or any trigger source if all events have the field. */
function sourceFor({ id }: ContractRow): Source {
  const trigger = id.split('.')[0]!
  return trigger === 'common' ? 'PreSignUp_SignUp' : sourcesOf(trigger)[0]!
}

function placeOf({ id }: ContractRow): Place {
  const [table, ...path] = id.split('.') as [string, ...string[]]
  if (table === 'common') return { of: 'event', path }
  const [part, field, ...below] = path as [string, string, ...string[]]
  if (part === 'response') return { of: 'answer', path: [field, ...below], under: '/response' }
  const isInList = field === 'session' && below.length > 0
  return { of: 'event', path: ['request', field, ...(isInList ? [0] : []), ...below] }
}

function subjectFor(row: ContractRow): Subject {
  const source = sourceFor(row)
  const event = triggerEvent(source, undefined, {
    version: row.id.includes('claimsAndScopeOverrideDetails') ? '2' : '1',
  }) as { request: { session?: unknown } }
  if (row.id.includes('.session.'))
    event.request.session = [{ challengeName: 'SRP_A', challengeResult: true }]
  return { event, answer: leastAnswers[knownSource(source)!.trigger] }
}
