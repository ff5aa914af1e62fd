import {
  type CheckpointDurableExecutionRequest,
  DurableExecutionInvocationInputWithClient,
  type Operation,
  type OperationUpdate,
} from '@aws/durable-execution-sdk-js'
import type { InvocationContext } from '../plugin.ts'
import type { DurableHandler } from './durable.ts'

const statuses = {
  START: 'STARTED',
  SUCCEED: 'SUCCEEDED',
  FAIL: 'FAILED',
  RETRY: 'PENDING',
  CANCEL: 'CANCELLED',
} as const

/**
 * The service as far as tests of durable functions need it: it keeps the operations of one execution. Waits and callbacks end
 * when a test says so, so that it decides which invocation sees what.
 */
export function executionOf(handler: DurableHandler, event: unknown, arn = 'arn:execution') {
  const operations = new Map<string, Operation>([
    [
      'execution',
      {
        Id: 'execution',
        Type: 'EXECUTION',
        Status: 'STARTED',
        StartTimestamp: new Date(),
        ExecutionDetails: { InputPayload: JSON.stringify(event) },
      },
    ],
  ])
  // The SDK asks for further pages of the state only when there are any.
  const client = {
    async checkpoint({ Updates }: CheckpointDurableExecutionRequest) {
      for (const update of Updates!) operations.set(update.Id!, updated(operations.get(update.Id!), update))
      const Operations = Updates!.map(({ Id }) => operations.get(Id!)!)
      return { CheckpointToken: 'token', NewExecutionState: { Operations } }
    },
  }
  return {
    invoke: (
      context: InvocationContext = { awsRequestId: 'request', getRemainingTimeInMillis: () => 60_000 },
    ) =>
      handler(
        new DurableExecutionInvocationInputWithClient(
          {
            DurableExecutionArn: arn,
            CheckpointToken: 'token',
            InitialExecutionState: { Operations: [...operations.values()] },
          },
          client as never,
        ),
        context,
      ),
    /** Ends the waits, and the callbacks with a result. */
    end(Result?: string) {
      for (const each of operations.values())
        if (each.Status === 'STARTED' && (each.Type === 'WAIT' || each.Type === 'CALLBACK'))
          Object.assign(each, { Status: 'SUCCEEDED', CallbackDetails: { ...each.CallbackDetails, Result } })
    },
    /** Returns the names of the operations, in the order in which they started. */
    names: () => Array.from(operations.values(), ({ Name }) => Name).slice(1),
  }
}

function updated(before: Operation | undefined, update: OperationUpdate): Operation {
  const { Id, Type, Action, Name, ParentId, SubType, Payload, Error: error } = update
  const details = { Result: Payload, Error: error }
  return {
    StartTimestamp: new Date(),
    ...before,
    ...{ Id, Type, Name, ParentId, SubType, Status: statuses[Action!] },
    ...(Type === 'STEP' && { StepDetails: details }),
    ...(Type === 'CONTEXT' && { ContextDetails: details }),
    ...(Type === 'CALLBACK' && { CallbackDetails: { CallbackId: `callback ${Id}` } }),
    ...(Type === 'WAIT' && { WaitDetails: { ScheduledEndTimestamp: new Date(Date.now() + 3_600_000) } }),
  } as Operation
}
