import type { Starter } from '@signalbox/platform-runtime'
import type { TestRunner } from './test-runners.ts'

/** The origin of a new project's packages. */
export interface PackageSource {
  /** The version of a package for package.json. */
  readonly versionOf: (packageName: string) => string
  /** Packages that have to be named too, because no registry would find them. */
  readonly beside: readonly string[]
}

/** The settings of a new project. */
export interface ProjectSettings {
  readonly name: string
  readonly starters: readonly Starter[]
  readonly runner: TestRunner
  readonly source: PackageSource
  /** Whether the project brings a Node of its own, because this machine's is too old. */
  readonly needsNode: boolean
}
