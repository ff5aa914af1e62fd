import type { Location, OpenContext } from '@signalbox/platform-runtime'

/** The parts of the platform that executions use. */
export type RunnerContext = Pick<
  OpenContext,
  'dispatch' | 'clock' | 'machineClock' | 'notice' | 'random' | 'services'
>

/** How the executions of a function run. Times are in milliseconds. */
interface DurableSettings {
  readonly timeout: number
  readonly retention: number
}

/** A function that executions invoke, or call. */
export interface CalledFunction {
  readonly functionName: string
  /** The maximum number of invocations that run at the same time. */
  readonly concurrency: number
  readonly isIsolated: boolean
  /** Absent for a function without executions. */
  readonly durable: DurableSettings | undefined
  readonly location: Location
  /** The absolute path of the file with its code. Undefined for code that is not in a file of this platform. */
  readonly codeFile?: string | undefined
}
