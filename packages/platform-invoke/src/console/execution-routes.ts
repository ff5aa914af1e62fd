import { optional, refusals, route, wholeNumber } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'
import { executionStatuses } from '../store/execution.ts'

const Status = t.keyof(
  Object.fromEntries(executionStatuses.map(each => [each, null])) as {
    readonly [status in (typeof executionStatuses)[number]]: null
  },
)

/** An execution in a list. Times are milliseconds since the epoch. */
export const ListedExecution = t.readonly(
  t.type({
    id: t.string,
    functionName: t.string,
    name: t.string,
    status: Status,
    startedAt: t.number,
    endedAt: optional(t.number),
  }),
)
export type ListedExecution = t.TypeOf<typeof ListedExecution>

/** One attempt of a step that has ended. Secrets in its texts are masked, as in all texts of a story. */
export const Attempt = t.readonly(
  t.type({
    number: t.number,
    startedAt: t.number,
    endedAt: t.number,
    /** The result, as the function serialized it. */
    result: optional(t.string),
    /** The error as JSON. */
    error: optional(t.string),
    /** Seconds until the next attempt. Undefined for the last one. */
    againIn: optional(t.number),
  }),
)
export type Attempt = t.TypeOf<typeof Attempt>

/** What an execution did: a step, a wait, a callback, a call of a function, or a context with others inside. */
export const Step = t.readonly(
  t.type({
    id: t.string,
    /** How many contexts it is inside of. */
    depth: t.number,
    type: t.keyof({ Context: null, Step: null, Wait: null, Callback: null, ChainedInvoke: null }),
    name: optional(t.string),
    /** `Started` while it has not ended. */
    state: t.keyof({
      ...{ Started: null, Succeeded: null, Failed: null, TimedOut: null, Cancelled: null, Stopped: null },
    }),
    startedAt: t.number,
    endedAt: optional(t.number),
    /** When a wait ends, or when the next attempt of a step is due. */
    until: optional(t.number),
    /** The id of a callback. Hidden from visitors who may not act, because who knows it may end the callback. */
    callbackId: optional(t.string),
    /** The function that is called, and the execution that the call started if it is durable. */
    called: optional(t.readonly(t.type({ functionName: t.string, execution: optional(t.string) }))),
    input: optional(t.string),
    result: optional(t.string),
    error: optional(t.string),
    attempts: t.readonlyArray(Attempt),
  }),
)
export type Step = t.TypeOf<typeof Step>

/** One invocation of the function for an execution. */
const Invocation = t.readonly(
  t.type({ requestId: t.string, startedAt: t.number, endedAt: t.number, error: optional(t.string) }),
)

/** What happened to an execution. */
export const ExecutionStory = t.readonly(
  t.type({
    execution: ListedExecution,
    arn: t.string,
    input: optional(t.string),
    result: optional(t.string),
    error: optional(t.string),
    /** When the function runs again after a failure. */
    retryAt: optional(t.number),
    /** When the function's code was changed for the last time since the execution began. */
    codeChangedAt: optional(t.number),
    steps: t.readonlyArray(Step),
    /** The invocations that have ended. Each but the first replays what was done before it. */
    invocations: t.readonlyArray(Invocation),
    /** Whether the history is longer than the story. */
    isCut: t.boolean,
  }),
)
export type ExecutionStory = t.TypeOf<typeof ExecutionStory>

/** An event of the history. */
const HistoryLine = t.readonly(
  t.type({ id: t.number, at: t.number, type: t.string, name: optional(t.string), details: t.string }),
)

const done = { 204: null, ...refusals }

/** The routes of executions in the console's API. */
export const executionRoutes = {
  /** Lists the executions of every durable function, or of one, newest first. */
  executions: route('GET', '/executions', {
    query: t.partial({ function: t.string, status: Status, last: wholeNumber }),
    returns: { 200: t.readonlyArray(ListedExecution), ...refusals },
  }),
  execution: route('GET', '/executions/{id}', {
    isLogged: true,
    returns: { 200: ExecutionStory, ...refusals },
  }),
  /** Lists events of the history after a number, oldest first. */
  executionHistory: route('GET', '/executions/{id}/history', {
    query: t.partial({ after: wholeNumber }),
    isLogged: true,
    returns: { 200: t.readonlyArray(HistoryLine), ...refusals },
  }),
  stopExecution: route('POST', '/executions/{id}/stop', {
    body: t.partial({ reason: t.string }),
    returns: done,
  }),
  /** Ends a callback with a result, as the function reads it, or with the message of an error. */
  endCallback: route('POST', '/execution-callbacks/{id}', {
    body: t.union([t.strict({ result: t.string }), t.strict({ error: t.string })]),
    returns: done,
  }),
} as const
