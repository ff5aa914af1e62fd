import { maskText } from '@signalbox/platform-runtime'
import { executionIdOf } from '../executions/execution-arn.ts'
import type { HistoryEvent } from '../store/execution.ts'
import type { Attempt, ExecutionStory, Step } from './execution-routes.ts'

/** The maximum number of characters of one text. */
const longestText = 100_000

/** What the details of events have. */
interface Details {
  readonly Input?: { readonly Payload?: unknown }
  readonly Result?: { readonly Payload?: unknown }
  readonly Error?: { readonly Payload?: unknown }
  readonly RetryDetails?: {
    readonly CurrentAttempt?: number
    readonly NextAttemptDelaySeconds?: number | undefined
  }
  readonly ScheduledEndTimestamp?: number
  readonly CallbackId?: string
  readonly FunctionName?: string
  readonly DurableExecutionArn?: string
  readonly RequestId?: string
  readonly StartTimestamp?: number
  readonly EndTimestamp?: number
}

/** Returns the details of an event. */
export const detailsOf = (event: HistoryEvent): Details =>
  (event[`${event.EventType}Details`] ?? {}) as Details

/** Returns a payload as a text in which secrets are masked. */
export function shownText(payload: unknown): string | undefined {
  if (payload === undefined) return undefined
  return maskText(typeof payload === 'string' ? payload : JSON.stringify(payload)).text.slice(0, longestText)
}

/**
 * Returns what an execution did, from the beginning of its history.
 * @param mayAct whether the reader may end callbacks, and so may see their ids
 * @param hasEnded whether the execution has ended, so that nothing of it goes on
 */
export function storyOf(
  events: readonly HistoryEvent[],
  { mayAct, hasEnded }: { readonly mayAct: boolean; readonly hasEnded: boolean },
): Pick<ExecutionStory, 'input' | 'steps' | 'invocations'> {
  const steps = new Map<string, Step>()
  const invocations: ExecutionStory['invocations'][number][] = []
  let input: string | undefined
  /** When the attempts that run have begun. */
  const begun = new Map<string, number>()
  for (const event of events) {
    const { EventType, EventTimestamp: at, Id: id = '', Name: name, ParentId = '' } = event
    const details = detailsOf(event)
    const error = shownText(details.Error?.Payload)
    if (EventType === 'ExecutionStarted') input = shownText(details.Input?.Payload)
    if (EventType === 'InvocationCompleted') {
      const { RequestId = '', StartTimestamp = at, EndTimestamp = at } = details
      invocations.push({ requestId: RequestId, startedAt: StartTimestamp, endedAt: EndTimestamp, error })
    }
    const [, type, state] = /^(Context|Step|Wait|Callback|ChainedInvoke)([A-Z].*)$/.exec(EventType) ?? []
    if (type === undefined) continue
    const before = steps.get(id)
    if (state === 'Started') {
      begun.set(id, at)
      const { FunctionName, DurableExecutionArn = '', ScheduledEndTimestamp, CallbackId } = details
      steps.set(id, {
        ...{ id, type: type as Step['type'], name, state: 'Started', startedAt: before?.startedAt ?? at },
        ...{ depth: before?.depth ?? (steps.get(ParentId)?.depth ?? -1) + 1, endedAt: undefined },
        ...{ until: ScheduledEndTimestamp, callbackId: mayAct ? CallbackId : undefined },
        called:
          FunctionName === undefined
            ? undefined
            : { functionName: FunctionName, execution: executionIdOf(DurableExecutionArn) },
        ...{ input: shownText(details.Input?.Payload), result: undefined, error: undefined },
        attempts: before?.attempts ?? [],
      })
    } else if (before !== undefined) {
      const result = shownText(details.Result?.Payload)
      const { CurrentAttempt, NextAttemptDelaySeconds: againIn } = details.RetryDetails ?? {}
      const attempt: Attempt | undefined =
        CurrentAttempt === undefined
          ? undefined
          : {
              ...{ number: CurrentAttempt, startedAt: begun.get(id) ?? at, endedAt: at },
              ...{ result, error, againIn },
            }
      const ending =
        againIn === undefined
          ? { state: state as Step['state'], endedAt: at, until: undefined, result, error }
          : { until: at + againIn * 1000 }
      const attempts = attempt === undefined ? before.attempts : [...before.attempts, attempt]
      // A callback that has ended can't be ended again.
      steps.set(id, { ...before, ...ending, callbackId: undefined, attempts })
    }
  }
  const all = [...steps.values()].map(step =>
    hasEnded && step.state === 'Started'
      ? { ...step, state: 'Stopped' as const, until: undefined, callbackId: undefined }
      : step,
  )
  return { input, steps: all, invocations }
}
