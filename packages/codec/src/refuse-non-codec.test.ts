import { expect, it } from '@jest/globals'
import { compile, decode, decoder, fromJson, problems, schema, validate } from './index.ts'

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
  expect(use).toThrow(/a schema of another library, expected a codec of io-ts. Describe the data with io-ts/)
})

it('compile refuses what is not a codec at all', () => {
  for (const value of [undefined, null, 'string', {}]) {
    expect(() => compile(value as never)).toThrow('This is not a codec of io-ts: it has no function `is`.')
  }
})
