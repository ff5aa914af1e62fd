import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from '@jest/globals'
import * as base from './base.ts'
import * as index from './index.ts'

it('@signalbox/core/base exports a subset of the names that @signalbox/core exports', () => {
  expect(Object.keys(base)).toMatchInlineSnapshot(`
[
  "InvalidOptionError",
  "SignalboxError",
  "closestFamily",
  "inDevelopment",
  "notAnAnswer",
  "refuseUnknownOptions",
  "showOption",
  "systemClock",
]
`)
  expect(index).toMatchObject(base)
})

it('@signalbox/core/base does not load middy', () => {
  const seen = new Set<string>()
  const load = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const [, from = ''] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\s(?!type\s).*?from '([^']+)'/gms,
    )) {
      expect(from).not.toMatch(/middy/)
      if (from.startsWith('.')) load(join(dirname(file), from))
    }
  }
  load(join(import.meta.dirname, 'base.ts'))
  expect(seen.size).toBeGreaterThan(3)
})
