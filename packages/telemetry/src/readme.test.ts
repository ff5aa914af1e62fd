import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import * as entry from './index.ts'

const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const files = ['./otlp/settings.ts', './facts/invocation-facts.ts', './metrics.ts', './invocation.ts'].map(
  path => readFileSync(new URL(path, import.meta.url), 'utf8'),
)

it('the README names every export, variable, and name below signalbox', () => {
  for (const name of Object.keys(entry)) expect(text).toContain(`\`${name}(`)
  const names = new Set(
    files.flatMap(file => [...file.matchAll(/'(OTEL_\w+|signalbox\.\w+\.\w+)'/g)].map(([, name]) => name!)),
  )
  expect(names.size).toBeGreaterThan(12)
  for (const name of names) expect(text).toContain(`\`${name}\``)
})
