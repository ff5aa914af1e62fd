import { expect, it } from '@jest/globals'
import * as testing from './index.ts'

it('exports this and no more', () => {
  expect(Object.keys(testing)).toMatchInlineSnapshot(`
[
  "arbitraryHttpEvent",
  "arbitraryPath",
  "arbitraryQuery",
  "arbitraryRequest",
  "exchange",
  "httpEvent",
  "httpEventMutators",
]
`)
})
