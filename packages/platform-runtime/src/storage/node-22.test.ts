import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'

// The tests themselves run on a later version of Node, which has these features.
it.each([
  ['numbered parameters of SQLite', /(?:[=(,]|limit|offset) \?\d/],
  ['isOpen and isTransaction of DatabaseSync', /\.is(?:Open|Transaction)\b/],
])('the product does not use a feature that Node 22.13 lacks (%s)', (_what, pattern) => {
  const cwd = fileURLToPath(new URL('../../..', import.meta.url))
  const files = globSync('platform*/src/**/*.ts', { cwd, exclude: ['**/*.test.ts', '**/testing/**'] })
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter(file => pattern.test(readFileSync(`${cwd}/${file}`, 'utf8')))).toEqual([])
})
