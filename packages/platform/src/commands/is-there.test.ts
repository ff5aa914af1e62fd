import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { isThere } from './is-there.ts'

it('says whether a file is there, or that it cannot tell', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'box.json')
  expect(isThere(path)).toBe(false)
  writeFileSync(path, '')
  expect(isThere(path)).toBe(true)
  // A folder that may not be entered is more of a case, but not for every user who runs this.
  const long = join(folder.path, 'x'.repeat(300))
  expect(() => isThere(long)).toThrow(
    `${long} cannot be looked at: ENAMETOOLONG: name too long, stat '${long}'.`,
  )
})
