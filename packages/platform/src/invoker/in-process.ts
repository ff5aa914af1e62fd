import type { Clock, InvocationContext } from '@signalbox/core'
import { type Answer, answerOf, thrown } from './answer.ts'
import { captureConsole } from './capture-console.ts'
import { deadlines } from './deadlines.ts'
import { failedOutcome } from './failed-outcome.ts'
import type { Invoker, Outcome } from './invoker.ts'
import { logCollector } from './log-collector.ts'

/** A function as the platform calls it. */
export type Handler = (event: never, context: InvocationContext & { readonly deadline: number }) => unknown

/** What an in-process function needs. */
export interface InProcessSettings {
  readonly name: string
  readonly handler: Handler
  /** Milliseconds. */
  readonly timeout: number
  readonly clock: Clock
}

/**
 * Calls a function in this very process: for tests, where breakpoints and coverage should work. The event still
 * goes in and out as text. What cannot be had here is the kill at the deadline: the caller is told in time, but
 * the function goes on, and one that never yields stops the process.
 */
export function inProcessInvoker({ name, handler, timeout, clock }: InProcessSettings): Invoker {
  const console = captureConsole()
  const { set, callOff } = deadlines(clock)
  let generation = 1
  return {
    invoke({ event, requestId, context: more, limit = timeout }) {
      const granted = Math.min(timeout, limit)
      const deadline = clock.now() + granted
      const logs = logCollector()
      const context = {
        ...more,
        functionName: name,
        requestId,
        deadline,
        getRemainingTimeInMillis: () => Math.max(0, deadline - clock.now()),
      }
      const current = generation
      return new Promise<Outcome>(resolve => {
        const end = set(deadline, () =>
          resolve(failedOutcome('timeout', `${name} timed out after ${granted} ms`, current, logs.lines)),
        )
        const finish = (answer: Answer) => {
          callOff(end)
          const { payload, threw } = answer
          const outcome = { payload, logs: logs.lines, generation: current }
          resolve(threw === undefined ? outcome : { ...outcome, failure: { kind: 'threw', message: threw } })
        }
        console.run(logs, async () => {
          let answer: Answer
          try {
            answer = answerOf(await handler(JSON.parse(event) as never, context))
          } catch (error) {
            answer = thrown(error)
          }
          finish(answer)
        })
      })
    },
    reload: () => void generation++,
    stop: async () => console.release(),
    instances: () => 1,
  }
}
