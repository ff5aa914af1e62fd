import { expect, it } from '@jest/globals'
import * as index from './index.ts'

it('exports', () => {
  expect(Object.keys(index).sort()).toMatchInlineSnapshot(`
[
  "aws",
  "awsDialect",
  "fromAws",
  "toAws",
]
`)
})
