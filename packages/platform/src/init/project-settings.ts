import type { Starter } from '@signalbox/platform-runtime'
import type { TestRunner } from './test-runners.ts'

/** The origin of a new project's packages. */
export interface PackageSource {
  /** Returns the version of a package, for package.json. */
  readonly versionOf: (packageName: string) => string
  /** Additional packages that package.json must list, because they are not in a registry. */
  readonly beside: readonly string[]
}

/** The settings of a new project. */
export interface ProjectSettings {
  readonly name: string
  readonly starters: readonly Starter[]
  readonly runner: TestRunner
  readonly source: PackageSource
  /** Whether the project installs its own Node, because the machine has none or an old one. */
  readonly needsNode: boolean
}
