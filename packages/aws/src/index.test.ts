import { expect, it } from '@jest/globals'
import * as index from './index.ts'

it('@signalbox/aws exports exactly the names that this test lists', () => {
  expect(Object.keys(index).sort()).toMatchInlineSnapshot(`
[
  "UnsupportedDecisionError",
  "aws",
  "awsDialect",
  "awsRecord",
  "awsRoute",
  "balancerKeys",
  "fromAws",
  "sesMail",
  "sesRecord",
  "toAws",
]
`)
})
