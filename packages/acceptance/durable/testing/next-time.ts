import type { Event } from '@aws-sdk/client-lambda'

/**
 * Returns when an execution goes on by itself, in milliseconds since the epoch: at the end of a wait, or at the next attempt
 * of a step. Returns `soon` when it waits for a function that it called, or for an invocation after a crash. Returns
 * undefined when it waits for callbacks only.
 */
export function nextTime(events: readonly Event[]): number | 'soon' | undefined {
  const latest = new Map(
    events.flatMap(event => (event.Id === undefined ? [] : [[event.Id, event] as const])),
  )
  const times = [...latest.values()].flatMap(({ EventTimestamp, ...event }) => {
    const { ScheduledEndTimestamp: end } = event.WaitStartedDetails ?? {}
    const { RetryDetails: retry } = event.StepFailedDetails ?? event.StepSucceededDetails ?? {}
    if (end !== undefined) return end.getTime()
    const { NextAttemptDelaySeconds: delay } = retry ?? {}
    return delay ? EventTimestamp!.getTime() + delay * 1000 : []
  })
  if (times.length > 0) return Math.min(...times)
  const isCalling = [...latest.values()].some(({ EventType }) => EventType === 'ChainedInvokeStarted')
  const hasCrashed = events.at(-1)?.InvocationCompletedDetails?.Error?.Payload !== undefined
  return isCalling || hasCrashed ? 'soon' : undefined
}
