import { pointerTo } from '@signalbox/codec'
import { executionLimits, type Operation, type OperationType } from '../store/execution.ts'
import type { ExecutionChange } from '../store/execution-change.ts'
import type { ErrorInput, OperationUpdate } from './inputs.ts'

/** Thrown for a change that a function or another client may not make. Nothing of the request has an effect. */
export class InvalidChangeError extends Error {
  override readonly name = 'InvalidChangeError'
}

/** The limits of one update, as on AWS. Sizes are in bytes, times in seconds. */
export const updateLimits = {
  updates: 250,
  payload: 256 * 1024,
  callPayload: 1024 * 1024,
  result: 6 * 1024 * 1024,
  error: 32 * 1024,
  name: 256,
  id: 64,
  seconds: 31_622_400,
} as const

type Action = OperationUpdate['Action']

const actions: { readonly [type in OperationType]: readonly Action[] } = {
  STEP: ['START', 'SUCCEED', 'FAIL', 'RETRY'],
  CONTEXT: ['START', 'SUCCEED', 'FAIL'],
  WAIT: ['START', 'CANCEL'],
  CALLBACK: ['START', 'CANCEL'],
  CHAINED_INVOKE: ['START', 'CANCEL'],
  EXECUTION: ['SUCCEED', 'FAIL'],
}

/**
 * Checks the updates of one checkpoint against each other.
 * @throws InvalidChangeError
 */
export function checkUpdates(updates: readonly OperationUpdate[]): void {
  if (updates.length > updateLimits.updates)
    throw new InvalidChangeError(`A checkpoint has at most ${updateLimits.updates} updates.`)
  const ends = updates.filter(({ Type }) => Type === 'EXECUTION')
  if (ends.length > 1) throw new InvalidChangeError('Cannot checkpoint multiple EXECUTION updates.')
  if (ends.length === 1 && updates.at(-1)!.Type !== 'EXECUTION')
    throw new InvalidChangeError('EXECUTION checkpoint must be the last update.')
  const latest = new Map<string, OperationUpdate>()
  for (const [at, update] of updates.entries()) {
    const problem = sizeProblem(update)
    if (problem !== undefined) throw new InvalidChangeError(`${pointerTo('Updates', at)}: ${problem}`)
    const before = latest.get(update.Id)
    const mayFollow =
      before === undefined ||
      ((before.Type === 'STEP' || before.Type === 'CONTEXT') &&
        before.Action === 'START' &&
        update.Action !== 'START')
    if (!mayFollow)
      throw new InvalidChangeError('Cannot update the same operation twice in a single request.')
    latest.set(update.Id, update)
  }
}

function sizeProblem({ Id, Name, Type, Payload = '', Error: error }: OperationUpdate): string | undefined {
  if (!/^[\x21-\x7e]{1,64}$/.test(Id))
    return `an operation must have an Id of 1 to ${updateLimits.id} printable ASCII characters.`
  if (Name !== undefined && !/^[\x20-\x7e]{1,256}$/.test(Name))
    return `Name must have 1 to ${updateLimits.name} printable ASCII characters.`
  if (error !== undefined && byteLength(JSON.stringify(error)) > updateLimits.error)
    return `Error object size must be less than ${updateLimits.error} bytes.`
  const most = payloadLimitOf(Type)
  if (byteLength(Payload) > most) return `Payload must have at most ${most} bytes.`
  return undefined
}

const payloadLimitOf = (type: OperationType): number =>
  type === 'EXECUTION'
    ? updateLimits.result
    : type === 'CHAINED_INVOKE'
      ? updateLimits.callPayload
      : updateLimits.payload

/** Returns the size of a text in bytes. */
export const byteLength = (text: string): number => Buffer.byteLength(text)

/**
 * Checks whether an update is possible in the present state of its operation.
 * @throws InvalidChangeError
 */
export function checkUpdate(draft: ExecutionChange, update: OperationUpdate): void {
  const { Type, Action, Payload, Error: error, ParentId } = update
  const operation = draft.operation(update.Id)
  const refuse = (message: string): never => {
    throw new InvalidChangeError(message)
  }
  if (!actions[Type].includes(Action)) refuse('Invalid action for the given operation type.')
  if (ParentId !== undefined && draft.operation(ParentId)?.type !== 'CONTEXT')
    refuse('Invalid parent operation id.')
  if (operation !== undefined && operation.type !== Type)
    refuse(`Operation ${update.Id} is a ${operation.type}, not a ${Type}.`)
  if (Action === 'FAIL' && Payload !== undefined) refuse('Cannot provide a Payload for FAIL action.')
  if (Action === 'SUCCEED' && error !== undefined) refuse('Cannot provide an Error for SUCCEED action.')
  const problem = stateProblem(update, operation)
  if (problem !== undefined) refuse(problem)
  if (operation !== undefined || Type === 'EXECUTION') return
  if (draft.execution.operations >= executionLimits.operations)
    refuse(`An execution has at most ${executionLimits.operations} operations.`)
}

function stateProblem(
  { Type, Action, StepOptions, Payload, Error: error }: OperationUpdate,
  operation: Operation | undefined,
): string | undefined {
  const status = operation?.status
  const isOpen = status === undefined || status === 'STARTED' || (Type === 'STEP' && status === 'READY')
  if (Type === 'EXECUTION') return undefined
  if (Type === 'STEP') {
    if (Action === 'START') return status === undefined || status === 'READY' ? undefined : inState('start')
    if (Action !== 'RETRY') return isOpen ? undefined : inState('close')
    if (!isOpen) return inState('re-attempt')
    if (StepOptions === undefined) return 'Invalid StepOptions for the given action.'
    if (error !== undefined && Payload !== undefined)
      return 'Cannot provide both error and payload to RETRY a STEP.'
    return undefined
  }
  if (Action === 'START')
    return status === undefined ? undefined : `Cannot start a ${Type} that already exists.`
  if (Type === 'CONTEXT') return isOpen ? undefined : 'Invalid current CONTEXT state to close.'
  if (status === 'STARTED') return undefined
  return `Cannot cancel a ${Type} that does not exist or has already completed.`
}

const inState = (what: string): string => `Invalid current STEP state to ${what}.`

/**
 * Returns a number of seconds.
 * @throws InvalidChangeError for a number that is not whole, or out of bounds
 */
export function wholeSeconds(value: number | undefined, least: number, name: string): number {
  if (value !== undefined && Number.isInteger(value) && value >= least && value <= updateLimits.seconds)
    return value
  throw new InvalidChangeError(`${name} must be whole seconds from ${least} to ${updateLimits.seconds}.`)
}

/** Returns an error with the fields that errors have. Others may be nested too deeply to be kept. */
export const knownError = ({ ErrorMessage, ErrorType, ErrorData, StackTrace }: ErrorInput): ErrorInput => ({
  ...(ErrorMessage !== undefined && { ErrorMessage }),
  ...(ErrorType !== undefined && { ErrorType }),
  ...(ErrorData !== undefined && { ErrorData }),
  ...(StackTrace !== undefined && { StackTrace }),
})
