import type { DurableEvent } from './durable-platform.ts'

/** The answer of a function whose execution succeeds. */
export const done = (Result = '"done"') => ({ Status: 'SUCCEEDED', Result })
/** The answer of a function whose execution goes on later. */
export const pending = { Status: 'PENDING' }

/** Returns a function that does one of these things in each invocation, and the events that it got. */
export function script(...acts: ((event: DurableEvent, client: never) => Promise<object> | object)[]) {
  const events: DurableEvent[] = []
  const order = async (event: DurableEvent, client: unknown) => {
    events.push(event)
    return (await acts[events.length - 1]!(event, client as never)) as never
  }
  return { events, order }
}

/** An update that makes an execution wait. */
export const wait = (Id: string, WaitSeconds: number) =>
  ({ Id, Type: 'WAIT', Action: 'START', Name: Id, WaitOptions: { WaitSeconds } }) as const

/** Repeats a search until it finds something. */
export async function untilFound<T>(find: () => Promise<readonly T[]>): Promise<readonly T[]> {
  for (;;) {
    const found = await find()
    if (found.length > 0) return found
  }
}
