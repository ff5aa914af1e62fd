import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Spread } from './spread.ts'
import type { Role } from './work.ts'

/** All measurements, in the form of `results.json`. Each command measures one part. */
export interface Results {
  /** The results of `npm run bench`. */
  readonly functions?: Part
  /** The results of `npm run bench:cold`. */
  readonly cold?: Part
  /** The results of the benchmarks in `platform/`. */
  readonly platform?: Part
  /** The results of `npm run bench:postgres`. */
  readonly postgres?: Part
}

export interface Part {
  readonly date: string
  /** The command that repeats the measurement. */
  readonly command: string
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  readonly tables: readonly Table[]
}

export interface Machine {
  readonly node: string
  readonly processor: string
  readonly processors: number
  readonly system: string
}

export interface Table {
  /** The name, which is unique in its part. */
  readonly name: string
  readonly title: string
  /** A sentence about the work, if its title is not enough. */
  readonly about?: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly goals: readonly Goal[]
}

interface Column {
  readonly key: string
  readonly title: string
  readonly unit: Unit
}

export type Unit = 'ns' | 'ms' | 'bytes' | 'ratio' | 'per second' | 'count'

export interface Row {
  /** The setup, such as `1,000 records`. The rows of a setup are adjacent. */
  readonly setup: string
  readonly contender: string
  readonly role: Role
  readonly figures: Readonly<Record<string, Spread>>
  /** How the contender's answer differs from the expected one. If it differs, the figures are not comparable. */
  readonly difference?: string
}

export interface Goal {
  /** A sentence, such as `Signalbox at most 1.15 × hand-written (1,000 records)`. */
  readonly goal: string
  readonly figure: Spread
  readonly unit: Unit
  readonly reached: boolean
  /** The reason why a goal is not reached: where the time is spent. */
  readonly reason?: string
}

export function readResults(file: string): Results {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {}
}

export function writeResults(file: string, results: Results): void {
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`)
}
