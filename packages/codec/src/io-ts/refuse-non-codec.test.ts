import { expect, it } from '@jest/globals'
import { compile, decode, decoder, fromJson, problems, schema, validate } from '../index.ts'

const zod = { '~standard': { vendor: 'zod', version: 1 }, parse: () => 1, decode: () => 1 } as never

it.each([
  ['compile', () => compile(zod)],
  ['decode', () => decode(zod, 1)],
  ['decoder', () => decoder(zod)],
  ['fromJson', () => fromJson(zod)],
  ['problems', () => problems(zod, 1)],
  ['schema', () => schema(zod)],
  ['validate', () => validate(zod, 1)],
])('%s refuses a schema of zod and says what to do', (_, use) => {
  expect(use).toThrow(
    'Expected a codec of io-ts, not a schema of another library. Describe the data with io-ts, or',
  )
})

it('compile() refuses a value that is not a codec', () => {
  for (const value of [undefined, null, {}]) {
    expect(() => compile(value as never)).toThrow(/^Expected a codec of io-ts.$/)
  }
})
