import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { starters } from './starters.ts'

it('the quick start shows the functions that init writes', () => {
  const page = readFileSync(new URL('../../../../docs/quick-start.md', import.meta.url), 'utf8')
  const shown = [...page.matchAll(/^`functions\/([\w-]+)\.ts`.*?^```ts\n(.*?)^```$/gms)]
  expect(Object.fromEntries(shown.map(([, name, code]) => [name, code]))).toEqual(
    Object.fromEntries(starters.map(({ functionName, code }) => [functionName, code.node])),
  )
})
