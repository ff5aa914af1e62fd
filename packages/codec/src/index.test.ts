import { expect, it } from '@jest/globals'
import * as codec from './index.ts'

it('@signalbox/codec exports exactly the listed names', () => {
  expect(Object.keys(codec).sort()).toMatchInlineSnapshot(`
[
  "InvalidError",
  "compile",
  "decode",
  "decoder",
  "fieldHint",
  "formatProblems",
  "fromJson",
  "isObject",
  "isSecret",
  "kindOf",
  "nearest",
  "pointerKeys",
  "pointerTo",
  "problems",
  "schema",
  "standard",
  "undecodable",
  "validate",
  "validateAsync",
]
`)
})
