import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { systemRandom } from '../random.ts'
import { masterKey } from './master-key.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-key-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const key = () => masterKey(folder, undefined, 'KEY', systemRandom)

it('a master key is created only once, and only its owner can read it', () => {
  const first = key()
  expect(first).toHaveLength(32)
  expect(key()).toEqual(first)
  expect(readdirSync(folder)).toEqual(['key'])
  expect(statSync(join(folder, 'key')).mode & 0o777).toBe(0o600)
})

it('a master key is created again when the first start was killed while writing the key', () => {
  writeFileSync(join(folder, `key.${process.pid}.new`), 'half')
  expect(key()).toHaveLength(32)
  expect(readdirSync(folder)).toEqual(['key'])
})

it('two processes that create a master key at the same time get the same key', () => {
  let other: Buffer | undefined
  const random = (size: number) => {
    // The other process creates the key after this one has found none.
    other ??= key()
    return systemRandom(size)
  }
  expect(masterKey(folder, undefined, 'KEY', random)).toEqual(other)
  expect(key()).toEqual(other)
  expect(readdirSync(folder)).toEqual(['key'])
})

it('a master key that has the wrong size or that other users can read is refused', () => {
  writeFileSync(join(folder, 'key'), 'short', { mode: 0o600 })
  expect(key).toThrow('must hold 32 bytes in base64')
  chmodSync(join(folder, 'key'), 0o644)
  expect(key).toThrow('can be read by others than its owner')
})
