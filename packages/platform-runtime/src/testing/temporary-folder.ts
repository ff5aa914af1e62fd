import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of its own for a test: `using folder = temporaryFolder()`; gone when the test is over. */
export function temporaryFolder(parent = tmpdir()): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(parent, 'signalbox-test-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Where files are kept in memory, if the machine has such a place: for tests that write to the disk all the time. */
export const fastestFolder: string = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
