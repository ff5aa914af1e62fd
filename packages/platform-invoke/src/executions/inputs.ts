import * as t from 'io-ts'

/** An error, as functions and other clients send it. */
export const ErrorInput = t.partial({
  ErrorMessage: t.string,
  ErrorType: t.string,
  ErrorData: t.string,
  StackTrace: t.array(t.string),
})

export type ErrorInput = t.TypeOf<typeof ErrorInput>

const OperationUpdate = t.intersection([
  t.type({
    Id: t.string,
    Type: t.keyof({
      CALLBACK: null,
      CHAINED_INVOKE: null,
      CONTEXT: null,
      EXECUTION: null,
      STEP: null,
      WAIT: null,
    }),
    Action: t.keyof({ START: null, SUCCEED: null, FAIL: null, RETRY: null, CANCEL: null }),
  }),
  t.partial({
    ParentId: t.string,
    Name: t.string,
    SubType: t.string,
    Payload: t.string,
    Error: ErrorInput,
    ContextOptions: t.partial({ ReplayChildren: t.boolean }),
    StepOptions: t.partial({ NextAttemptDelaySeconds: t.number }),
    WaitOptions: t.partial({ WaitSeconds: t.number }),
    CallbackOptions: t.partial({ TimeoutSeconds: t.number, HeartbeatTimeoutSeconds: t.number }),
    ChainedInvokeOptions: t.intersection([
      t.type({ FunctionName: t.string }),
      t.partial({ TenantId: t.string, XAmznTraceId: t.string }),
    ]),
  }),
])

/** One change of an operation that a function asks for. */
export type OperationUpdate = t.TypeOf<typeof OperationUpdate>

export const CheckpointInput = t.intersection([
  t.type({ CheckpointToken: t.string }),
  t.partial({ ClientToken: t.string, Updates: t.array(OperationUpdate) }),
])

export type CheckpointInput = t.TypeOf<typeof CheckpointInput>

/** What a durable function returns. */
export const InvocationOutput = t.intersection([
  t.type({ Status: t.keyof({ SUCCEEDED: null, FAILED: null, PENDING: null }) }),
  t.partial({ Result: t.union([t.string, t.null]), Error: t.union([ErrorInput, t.null]) }),
])

export type InvocationOutput = t.TypeOf<typeof InvocationOutput>
