import type { Clock } from '@signalbox/core'
import type { Call, InvocationResult, Invoker } from '../invoker.ts'
import { failedResult } from '../result/failed-result.ts'
import { type WaitingEvent, waitingLimit, waitingLine } from '../waiting-line.ts'
import type { RemoteAnswer, RemoteEndpoint } from './remote-endpoint.ts'
import { remoteFailure, remoteLog } from './remote-failure.ts'

/** Settings of a function that runs elsewhere. Times are in milliseconds. */
export interface RemoteSettings {
  readonly name: string
  readonly timeout: number
  /** The maximum number of calls at the same time. */
  readonly instances: number
  /** Milliseconds that an event may wait while the maximum number of calls is running. */
  readonly wait: number
  readonly clock: Clock
}

/** The pauses in milliseconds before the repetitions of a call that has not reached the function. */
const pauses = [100, 400, 1600]

interface Waiting extends WaitingEvent {
  readonly start: () => void
  readonly refuse: (why: string) => void
}

/**
 * Calls a function that runs elsewhere. A call is repeated only if it has not reached the function, and only within
 * its time limit. Any other failure is reported to the source, which decides whether the event is sent again. See
 * docs/decisions/instances-and-invocations.md#functions-elsewhere.
 */
export function remoteInvoker(
  { name, timeout, instances, wait, clock }: RemoteSettings,
  endpoint: RemoteEndpoint,
): Invoker {
  const running = new Set<(why: 'stopped') => void>()
  const waiting = waitingLine<Waiting>()
  const isFull = `${waitingLimit} events already wait for it`
  let generation = 1
  let stopped = false

  return {
    async invoke(call) {
      if (stopped) return unavailable('the platform is stopping')
      if (running.size < instances) return run(call)
      if (waiting.length() >= waitingLimit) {
        const leaves = waiting.leaves(call.client)
        if (leaves === undefined) return unavailable(isFull)
        waiting.remove(leaves)
        leaves.refuse(isFull)
      }
      return new Promise(resolve => {
        const cancel = clock.after(wait, () => {
          waiting.remove(entry)
          entry.refuse(`${instances} calls were running for ${wait} ms`)
        })
        const entry: Waiting = {
          client: call.client,
          start() {
            cancel()
            resolve(run(call))
          },
          refuse(why) {
            cancel()
            resolve(unavailable(why))
          },
        }
        waiting.add(entry)
      })
    },
    reload: () => void generation++,
    async stop() {
      stopped = true
      for (const { refuse } of waiting.clear()) refuse('the platform is stopping')
      for (const end of running) end('stopped')
      endpoint.close()
    },
    instances: () => running.size,
  }

  async function run(call: Call): Promise<InvocationResult> {
    const current = generation
    const granted = Math.min(timeout, call.timeLimit ?? timeout)
    const deadline = clock.now() + granted
    const abort = new AbortController()
    let end!: (why: 'late' | 'stopped') => void
    const ended = new Promise<'late' | 'stopped'>(resolve => {
      end = resolve
    })
    running.add(end)
    const cancel = clock.after(granted, () => end('late'))
    let refused: string | undefined
    try {
      for (const pause of [...pauses, undefined]) {
        const timeLimit = deadline - clock.now()
        const answer = await Promise.race([endpoint.call(call, { timeLimit, signal: abort.signal }), ended])
        if (answer === 'stopped')
          return failedResult('crash', `${name} was called while the platform stopped`, current)
        if (answer === 'late') break
        if (!('refused' in answer)) return resultOf(answer, current)
        refused = answer.refused
        if (!answer.mayRetry || pause === undefined || clock.now() + pause >= deadline) break
        if (await endsWithin(pause, ended)) break
      }
      return refused === undefined
        ? failedResult('timeout', `${name} timed out after ${granted} ms`, current)
        : unavailable(refused)
    } finally {
      cancel()
      abort.abort()
      running.delete(end)
      waiting.next()?.start()
    }
  }

  function endsWithin(ms: number, ended: Promise<unknown>): Promise<boolean> {
    return new Promise(resolve => {
      const cancel = clock.after(ms, () => resolve(false))
      void ended.then(() => {
        cancel()
        resolve(true)
      })
    })
  }

  function resultOf(
    answer: Exclude<RemoteAnswer, { readonly refused: string }>,
    current: number,
  ): InvocationResult {
    if ('lost' in answer) return failedResult('crash', `${name} may have run: ${answer.lost}`, current)
    const { payload, isError, log } = answer
    const logs = remoteLog(log)
    return isError
      ? { ...remoteFailure(payload), logs, generation: current }
      : { payload, logs, generation: current }
  }

  function unavailable(why: string): InvocationResult {
    return failedResult('unavailable', `${name} was not called: ${why}`, generation)
  }
}
