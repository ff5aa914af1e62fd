import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/** The queue of the messages that no function handles. */
export const deadQueue = 'dead'

/** In seconds. */
export const faultTimes = {
  /** The time-out of the functions. */
  timeout: 3,
  /** How long a function takes that is too late. */
  late: 6,
  /** How long a process runs that a function has started and left. */
  child: 60,
  visibilityTimeout: 6,
} as const

/** A language in which a function handles messages. The function has the name of the language, and so has its queue. */
export interface Language {
  readonly name: string
  /** The keys of the function's configuration that say where its code is. */
  readonly code: object
  readonly batchSize: number
  /** The file that a reload reads again. */
  readonly file: string
}

const programs = join(import.meta.dirname, 'programs')
const clients = join(import.meta.dirname, '../../../platform/languages')

interface Kind extends Omit<Language, 'file' | 'name'> {
  /** The programs that have to be there. */
  readonly needs: readonly (readonly [string, ...string[]])[]
  readonly source: string
}

const kinds = (folder: string): { readonly [name: string]: Kind } => ({
  node: {
    needs: [],
    code: { module: './soak.mjs' },
    batchSize: 10,
    source: 'soak.mjs',
  },
  python: {
    needs: [['python3', '--version']],
    code: { command: ['python3', join(clients, 'python/runtime.py')], export: 'soak.handler' },
    batchSize: 10,
    source: 'soak.py',
  },
  // A function in bash answers one message at a time, because bash does not parse JSON.
  bash: {
    needs: [
      ['bash', '--version'],
      ['curl', '--version'],
    ],
    code: { command: ['bash', join(clients, 'shell/runtime.sh')], export: 'soak.handler' },
    batchSize: 1,
    source: 'soak.sh',
  },
  go: {
    needs: [['go', 'version']],
    code: { command: [join(folder, 'soak')] },
    batchSize: 10,
    source: 'soak',
  },
})

/** Returns the languages of this machine, with the functions built in a folder, and the names of those it does not have. */
export function languagesIn(folder: string): {
  readonly languages: readonly Language[]
  readonly missing: readonly string[]
} {
  const languages: Language[] = []
  const missing: string[] = []
  for (const [name, { needs, code, batchSize, source }] of Object.entries(kinds(folder))) {
    if (needs.some(([program, ...args]) => spawnSync(program, args).status !== 0)) missing.push(name)
    else {
      const file = join(folder, source)
      if (name === 'go') execFileSync('go', ['build', '-o', file], { cwd: programs })
      else copyFileSync(join(programs, source), file)
      languages.push({ name, code, batchSize, file })
    }
  }
  return { languages, missing }
}

/** Saves the file of a function again, as an editor does: a new file takes the place of the old one. */
export function save({ file }: Language, folder: string): void {
  const next = join(folder, 'next')
  mkdirSync(next, { recursive: true })
  const copy = join(next, 'file')
  copyFileSync(file, copy)
  renameSync(copy, file)
}
