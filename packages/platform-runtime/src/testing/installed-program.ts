import { spawnSync } from 'node:child_process'

const isInstalled = (program: string) =>
  spawnSync(program, [program === 'go' ? 'version' : '--version']).status === 0

interface Describe {
  (title: string, tests: () => void): void
  readonly skip: (title: string, tests: () => void) => void
}

/** Groups tests that need programs of the machine. Where one is missing, they are skipped, and the title says why. */
export function describeWith(
  programs: readonly string[],
  describe: Describe,
  title: string,
  tests: () => void,
): void {
  const missing = programs.filter(program => !isInstalled(program))
  if (missing.length === 0) describe(title, tests)
  else describe.skip(`${title} (skipped: needs ${missing.join(' and ')})`, tests)
}
