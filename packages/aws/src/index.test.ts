import { expect, it } from '@jest/globals'
import * as index from './index.ts'

it('@signalbox/aws exports exactly the names that this test lists', () => {
  expect(Object.keys(index).sort()).toMatchInlineSnapshot(`
[
  "aws",
  "awsDialect",
  "awsRecord",
  "awsRoute",
  "balancerKeys",
  "fromAws",
  "toAws",
]
`)
})
