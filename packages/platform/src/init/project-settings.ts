import type { Starter } from '@signalbox/platform-runtime'
import type { Language } from './languages.ts'
import type { TestRunner } from './test-runners.ts'

/** The origin of a new project's packages. */
export interface PackageSource {
  /** Returns the version of a package, for package.json. */
  readonly versionOf: (packageName: string) => string
  /** Additional packages that package.json must list, because they are not in a registry. */
  readonly beside: readonly string[]
}

/** The settings of a new project in any language. */
export interface ProjectSettings {
  readonly name: string
  readonly starters: readonly Starter[]
  readonly source: PackageSource
  /** Whether the project installs its own Node, because the machine has none or an old one. */
  readonly needsNode: boolean
}

/** The settings of a new project in TypeScript. */
export interface NodeProjectSettings extends ProjectSettings {
  readonly runner: TestRunner
}

/** The settings of a new project in another language. */
export interface LanguageProjectSettings extends ProjectSettings {
  readonly language: Language
}
