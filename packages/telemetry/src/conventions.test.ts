import { globSync, readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import * as conventions from '@opentelemetry/semantic-conventions/incubating'

const known = new Set<unknown>(Object.values(conventions))
const files = globSync(`${import.meta.dirname}/{facts,emf,trace,otlp}/*.ts`).filter(
  path => !path.includes('.test.'),
)
const used = new Set(
  files.flatMap(path =>
    [...readFileSync(path, 'utf8').matchAll(/'((?:[a-z_]+\.)+[a-z_]+)'/g)].map(([, name]) => name!),
  ),
)

// The conventions for functions and messages are not stable. A new release shows here which names have changed.
it('uses the names of the conventions, and names of its own only below signalbox', () => {
  expect(used.size).toBeGreaterThan(20)
  expect([...used].filter(name => !name.startsWith('signalbox.') && !known.has(name))).toEqual([])
})
