import type { Event, EventError, EventResult, RetryDetails } from '@aws-sdk/client-lambda'

/** Sub-types that the type of an event implies. */
const implied = ['Step', 'Wait', 'Callback', 'ChainedInvoke', 'RunInChildContext']

/** The largest number of characters of a payload that a line shows. */
const shownPayload = 80

/** The details of an event, of whatever type. */
interface Details {
  readonly Duration?: number
  readonly Timeout?: number
  readonly HeartbeatTimeout?: number
  readonly FunctionName?: string
  readonly CallbackId?: string
  readonly TenantId?: string
  readonly ExecutedVersion?: string
  readonly DurableExecutionArn?: string
  readonly Input?: EventResult
  readonly Result?: EventResult
  readonly Error?: EventError
  readonly RetryDetails?: RetryDetails
}

/**
 * Returns a history as text: one line for each event. A letter stands for each operation, in the order in which they appear,
 * with the letter of its parent before it.
 * @param letters gets the letter of each id
 *
 * @example
 * linesOf(events) // ['ContextStarted a', 'StepStarted a>b "greet"', 'StepFailed a>b "greet" Error: no, again in 2 s']
 */
export function linesOf(
  events: readonly Event[],
  letters: Map<string, string> = new Map(),
): readonly string[] {
  const letterOf = (id: string) => {
    if (!letters.has(id)) letters.set(id, String.fromCodePoint('a'.codePointAt(0)! + letters.size))
    return letters.get(id)
  }
  return events.map(({ EventType: type, SubType, Id, ParentId, Name, ...event }) => {
    if (type!.startsWith('Execution')) return type!
    const details: Details = event[`${type}Details` as 'StepStartedDetails'] ?? {}
    const parent = ParentId === undefined ? '' : `${letterOf(ParentId)}>`
    return [
      type,
      ...(Id === undefined ? [] : [`${parent}${letterOf(Id)}`]),
      ...(SubType === undefined || implied.includes(SubType) ? [] : [SubType]),
      ...(Name === undefined ? [] : [`"${Name}"`]),
      ...shown(type!, SubType, details),
    ].join(' ')
  })
}

/** Returns what a line says about an event after its name. */
function shown(type: string, subType: string | undefined, details: Details): readonly string[] {
  const { Duration, Timeout, HeartbeatTimeout, Input, RetryDetails: retry } = details
  const error = type === 'InvocationCompleted' ? undefined : details.Error?.Payload
  const isBatch = subType === 'Parallel' || subType === 'Map'
  const result = isBatch && details.Result?.Payload?.startsWith('{') ? undefined : details.Result?.Payload
  return [
    ...(type === 'InvocationCompleted' ? crashOf(details) : []),
    ...(Duration === undefined ? [] : [`${Duration} s`]),
    ...(Timeout ? [`timeout ${Timeout} s`] : []),
    ...(HeartbeatTimeout ? [`heartbeat ${HeartbeatTimeout} s`] : []),
    ...(type === 'ChainedInvokeStarted' ? called(details) : []),
    ...(Input?.Payload === undefined ? [] : [`with ${short(Input.Payload)}`]),
    ...(result === undefined || result === ''
      ? []
      : [`${details.Result!.Truncated === false ? '=' : 'truncated'} ${short(result)}`]),
    ...(error?.ErrorType === undefined ? [] : [`${error.ErrorType}: ${error.ErrorMessage}`]),
    ...(type === 'CallbackStarted' && details.CallbackId === undefined ? ['without an id'] : []),
    ...(/^Step(Succeeded|Failed)$/.test(type) && retry?.CurrentAttempt === undefined
      ? ['without attempt']
      : []),
    ...((retry?.CurrentAttempt ?? 1) === 1 ? [] : [`attempt ${retry!.CurrentAttempt}`]),
    ...(retry?.NextAttemptDelaySeconds ? [`again in ${retry.NextAttemptDelaySeconds} s`] : []),
  ]
}

/** Returns the type of a crash. The last invocation of an execution that fails has its error, which is no crash. */
const crashOf = ({ Error: error }: Details) => {
  const type = error?.Payload?.ErrorType
  return type?.startsWith('Runtime.') ? [type] : []
}

const called = ({ FunctionName, ExecutedVersion, DurableExecutionArn, TenantId }: Details) => [
  `${FunctionName?.split(':').findLast(part => !part.startsWith('$'))}`,
  ...(ExecutedVersion === undefined ? [] : ['version', ExecutedVersion]),
  ...(DurableExecutionArn?.startsWith('arn:') ? ['durable'] : []),
  ...(TenantId === undefined ? [] : ['tenant', TenantId]),
]

const short = (payload: string) => (payload.length > shownPayload ? `${payload.length} characters` : payload)
