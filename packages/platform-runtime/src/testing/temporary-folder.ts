import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder that is deleted at the end of the test. Call it as `using folder = temporaryFolder()`. */
export function temporaryFolder(parent = tmpdir()): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(parent, 'signalbox-test-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** A folder in memory, if the machine has one, for tests that write to the disk constantly. */
export const fastestFolder: string = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
