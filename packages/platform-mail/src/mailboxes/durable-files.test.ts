import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { placeFile } from './durable-files.ts'

const time = 1_700_000_000_041

it('placeFile() writes a file with the given modification time', async () => {
  using folder = temporaryFolder()
  const [temporary, final] = [join(folder.path, 'tmp'), join(folder.path, 'new')]
  await placeFile(temporary, final, [Buffer.from('one '), Buffer.from('two')], time)
  expect(readdirSync(folder.path)).toEqual(['new'])
  expect(Math.floor(statSync(final).mtimeMs)).toBe(time)
})

it('a file gets its modification time before its final name, so that a killed process leaves no file with a wrong time', async () => {
  using folder = temporaryFolder()
  const [temporary, final] = [join(folder.path, 'tmp'), join(folder.path, 'new')]
  // A folder with this name makes the last step fail.
  mkdirSync(final)
  await expect(placeFile(temporary, final, [Buffer.from('one')], time)).rejects.toThrow()
  expect(Math.floor(statSync(temporary).mtimeMs)).toBe(time)
})
