import type { TestRunner } from './test-runners.ts'

/** What a new project gets for one family: a function, its source in the box, its first test, and how it is deployed. */
export interface Starter {
  /** The name of the family, as users give it. */
  readonly family: string
  /** What calls such a function, for the README. */
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
  /** Command lines that try the function while the box runs, for the README. */
  readonly tries: string
  /** Events of the function in `template.yaml`, as lines below its `Properties`. */
  readonly events?: string
  /** Seconds that AWS gives the function. */
  readonly timeout: number
  /** Further parameters and resources of `template.yaml`. */
  readonly parameters?: string
  readonly resources: string
  /** What is to do by hand beside `sam deploy`. */
  readonly deploy?: string
}
