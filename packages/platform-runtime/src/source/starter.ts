/** The syntax of a test runner. */
export interface TestSyntax {
  /** The import statements of a test. */
  readonly imports: string
  /** Returns a statement that compares two expressions. */
  readonly equal: (actual: string, expected: string) => string
}

/**
 * The parts of a new project that `signalbox init` writes for one source: a function, the source in the configuration,
 * a first test, and a deployment.
 */
export interface Starter {
  /** The name by which users know the family. */
  readonly family: string
  /** Whether a new project has this family when users choose none. Default false. */
  readonly isDefault?: boolean
  /** The events that a function of this kind gets, in words for the README. */
  readonly calledBy: string
  readonly functionName: string
  /** The packages that the function in TypeScript and its test need, in addition to core, aws and platform. */
  readonly packages: readonly string[]
  /** The lines of `signalbox.config.ts` for the sources that call the function. */
  readonly config: string
  /**
   * The function in each language: a module that exports `handler`, a Python module and a shell script with the function
   * `handler`, a main package in Go. The functions use the names of AWS.
   */
  readonly code: { readonly [language in 'node' | 'python' | 'go' | 'shell']: string }
  /** Returns the module `functions/NAME.test.ts`. */
  readonly test: (syntax: TestSyntax) => string
  /** Command lines for the README that try the function on the running platform. */
  readonly tries: string
  /** Events of the function in `template.yaml`, as lines below its `Properties`. */
  readonly events?: string
  /** The function's time-out on AWS in seconds. */
  readonly timeout: number
  /** Further parameters and resources of `template.yaml`. */
  readonly parameters?: string
  readonly resources: string
  /** Manual steps in addition to `sam deploy`. */
  readonly deploy?: string
}
