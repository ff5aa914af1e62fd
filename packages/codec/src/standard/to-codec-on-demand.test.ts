import { expect, it } from '@jest/globals'
import * as t from 'io-ts'
import * as z from 'zod'
import { understandSchemas } from '../understanding/understand-schemas.ts'
import { toCodec } from './to-codec-on-demand.ts'

it('toCodec() refuses schemas of other libraries until understandSchemas() is called', () => {
  expect(() => toCodec(z.string())).toThrow('Expected a codec of io-ts (no other schema), got object')
  understandSchemas()
  expect([1, 'a'].map(toCodec(z.string()).is)).toEqual([false, true])
  expect(toCodec(t.string)).toBe(t.string)
  expect(() => toCodec({} as never)).toThrow('Expected a codec of io-ts (no other schema), got object')
})
