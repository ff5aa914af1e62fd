import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from '@jest/globals'
import { manualClock } from '../testing/index.ts'
import { sqliteStore } from './sqlite-store.ts'
import { storeSuite } from './store-suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-store-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const newFile = () => join(folder, 'a', `${files++}`, 'keys.sqlite')

storeSuite('sqliteStore', async () => {
  const clock = manualClock(Date.UTC(2026, 0, 1))
  return { store: sqliteStore(newFile(), { clock }), pass: clock.advance }
})

describe('sqliteStore', () => {
  it('has the keys of another store on the same file, which may be from before a restart', async () => {
    const file = newFile()
    const [first, second] = [sqliteStore(file), sqliteStore(file)]
    expect(await first.setIfAbsent('a', 'one', 60_000)).toBe(true)
    expect(await second.setIfAbsent('a', 'two', 60_000)).toBe(false)
    expect(await second.get('a')).toBe('one')
    await second.delete('a')
    expect(await first.get('a')).toBeUndefined()
  })

  it('gives each key to exactly one of several processes that claim it at once', async () => {
    const file = newFile()
    const claims = `
      const { sqliteStore } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'sqlite-store.ts')).href)})
      const store = sqliteStore(${JSON.stringify(file)})
      const own = []
      for (let key = 0; key < 50; key++) if (await store.setIfAbsent(String(key), 'v', 60000)) own.push(key)
      console.log(JSON.stringify(own))`
    const run = async () => {
      const args = ['--conditions=@signalbox/source', '--input-type=module', '--eval', claims]
      return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout) as number[]
    }
    const own = (await Promise.all([run(), run(), run()])).flat()
    expect(own.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, key) => key))
  })

  it('deletes expired keys from its file', async () => {
    const file = newFile()
    const clock = manualClock(0)
    const store = sqliteStore(file, { clock })
    for (let key = 0; key < 150; key++) await store.set(`${key}`, 'v', 1000)
    await clock.advance(1000)
    for (let key = 0; key < 100; key++) await store.set('another', 'v', 1000)
    using database = new DatabaseSync(file, { readOnly: true })
    expect(database.prepare('SELECT count(*) AS count FROM entries').get()).toEqual({ count: 1 })
  })

  it.each<[string, readonly unknown[], string]>([
    ['no path', [], 'takes the path of a file'],
    ['an unknown option', ['a.sqlite', { ttl: 1 }], 'ttl'],
  ])('refuses %s', (_, args, message) => {
    expect(() => (sqliteStore as (...given: readonly unknown[]) => unknown)(...args)).toThrow(message)
  })
})
