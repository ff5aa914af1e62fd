import type { Starter } from './starter.ts'
import type { TestRunner } from './test-runners.ts'

/** Where a new project gets its packages from. */
export interface PackageSource {
  /** What its package.json says for a package. */
  readonly versionOf: (packageName: string) => string
  /** Packages that have to be named too, because no registry would find them. */
  readonly beside: readonly string[]
}

/** What a new project is. */
export interface ProjectSettings {
  readonly name: string
  readonly starters: readonly Starter[]
  readonly runner: TestRunner
  readonly source: PackageSource
  /** Whether the project brings a Node of its own, because this machine's is too old. */
  readonly needsNode: boolean
}
