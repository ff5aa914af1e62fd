import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The ways to throw a process's wall clock: with the library libfaketime, or by replacing `Date.now` in the process. */
export type Means = 'libfaketime' | 'injected'

const library = ['x86_64', 'aarch64']
  .map(machine => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find(path => existsSync(path))

/** The ways that work on this machine. Debian's package libfaketime brings the library. */
export const means: readonly Means[] = library === undefined ? ['injected'] : ['injected', 'libfaketime']

const fileIn = (folder: string) => join(folder, 'wall-clock')

/** Throws the wall clock of the processes that use a folder: to `ms` milliseconds from the time of the machine. */
export function throwClock(folder: string, ms: number): void {
  // The file is replaced as a whole, so that no process reads half of it.
  writeFileSync(`${fileIn(folder)}.new`, `${ms < 0 ? '-' : '+'}${Math.abs(ms / 1000)}\n`)
  renameSync(`${fileIn(folder)}.new`, fileIn(folder))
}

/** Returns the environment variables with which libfaketime reads the clock of a folder. */
export function faketimeIn(folder: string, by: Means): Readonly<Record<string, string>> {
  if (by === 'injected') return {}
  return {
    LD_PRELOAD: library!,
    FAKETIME_TIMESTAMP_FILE: fileIn(folder),
    FAKETIME_NO_CACHE: '1',
    // Setting a machine's clock does not change its monotonic clock.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
}

/** Replaces `Date.now` in this process, so that it follows the clock of a folder. */
export function followClock(folder: string): void {
  const machine = Date.now
  Date.now = () => machine() + Math.round(Number(readFileSync(fileIn(folder), 'utf8')) * 1000)
}
