import type { Clock, InvocationContext } from '@signalbox/core'
import { userStack } from './instance/user-stack.ts'
import type { InvocationResult, Invoker } from './invoker.ts'
import { type ConsoleOutput, captureConsole } from './logs/capture-console.ts'
import { failedResult } from './result/failed-result.ts'
import { type PlainValue, plainValue } from './result/plain-value.ts'
import { type SerializedResult, serializeError, serializeResult } from './result/serialize-result.ts'

/** The user's function, with the signature that the platform calls. */
export type Handler = (event: never, context: InvocationContext & { readonly deadline: number }) => unknown

/** Settings of a function that runs in this process. */
export interface InProcessSettings {
  readonly name: string
  readonly handler: Handler
  /** Milliseconds that one event may take. */
  readonly timeout: number
  readonly clock: Clock
}

/**
 * Calls a function in this process, for tests with breakpoints and coverage. The function receives the event as parsed
 * JSON or as an equal value, and its result is converted to text. The function cannot be killed at its deadline. The
 * call fails on time, but the function keeps running, and a function that never yields blocks the process.
 */
export function inProcessInvoker({ name, handler, timeout, clock }: InProcessSettings): Invoker {
  const console = captureConsole()
  let generation = 1
  return {
    invoke(call) {
      const { event, value, requestId, context: more, timeLimit = timeout, takesValue = false } = call
      const granted = Math.min(timeout, timeLimit)
      const deadline = clock.now() + granted
      const output: ConsoleOutput = { logs: undefined }
      const own = {
        functionName: name,
        requestId,
        // Functions compare the deadline with the wall clock.
        deadline: clock.wall(deadline),
        getRemainingTimeInMillis: () => Math.max(0, deadline - clock.now()),
      }
      const context = more === undefined ? own : { ...more, ...own }
      const current = generation
      return new Promise<InvocationResult>(resolve => {
        const cancel = clock.after(granted, () =>
          resolve(
            failedResult('timeout', `${name} timed out after ${granted} ms`, current, output.logs?.lines),
          ),
        )
        const end = ({ threw, ...result }: SerializedResult & Partial<PlainValue>) => {
          cancel()
          const failed = threw !== undefined && { failure: { kind: 'threw', message: threw } as const }
          resolve({ ...result, ...failed, logs: output.logs?.lines ?? [], generation: current })
        }
        console.run(output, async () => {
          try {
            const result = await handler((value ?? JSON.parse(event)) as never, context)
            end((takesValue ? plainValue(result) : undefined) ?? serializeResult(result))
          } catch (error) {
            end(serializeError(error, call.takesTrace === true ? userStack(error) : undefined))
          }
        })
      })
    },
    reload: () => void generation++,
    stop: async () => console.release(),
    instances: () => 1,
  }
}
