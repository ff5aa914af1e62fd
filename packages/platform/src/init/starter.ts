import type { TestRunner } from './test-runners.ts'

/**
 * The parts of a new project for one family: a function, its source in the configuration, its first test, and its
 * deployment.
 */
export interface Starter {
  /** The name of the family for users. */
  readonly family: string
  /** The callers of such a function, for the README. */
  readonly calledBy: string
  readonly functionName: string
  /** Packages of the function and its test, beside core, aws and platform. */
  readonly packages: readonly string[]
  /** The lines of `signalbox.config.ts` for the sources that call the function. */
  readonly config: string
  /** The module `functions/NAME.ts`. */
  readonly code: string
  /** The module `functions/NAME.test.ts`. */
  readonly test: (runner: TestRunner) => string
  /** Command lines that try the function on the running platform, for the README. */
  readonly tries: string
  /** Events of the function in `template.yaml`, as lines below its `Properties`. */
  readonly events?: string
  /** The function's time-out on AWS in seconds. */
  readonly timeout: number
  /** Further parameters and resources of `template.yaml`. */
  readonly parameters?: string
  readonly resources: string
  /** Manual steps beside `sam deploy`. */
  readonly deploy?: string
}
