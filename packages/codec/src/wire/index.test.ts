import { expect, it } from '@jest/globals'
import * as wire from './index.ts'

it('@signalbox/codec/wire exports exactly the listed names', () => {
  expect(Object.keys(wire).sort()).toMatchInlineSnapshot(`
[
  "anything",
  "array",
  "boolean",
  "byTag",
  "codecOf",
  "confidentially",
  "extension",
  "failure",
  "list",
  "map",
  "number",
  "object",
  "omittable",
  "oneOf",
  "optional",
  "required",
  "string",
  "success",
  "where",
]
`)
})
