import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import { codecOf, failure, success } from './codec-of.ts'

const NumberFromString = codecOf<number, string>({
  name: 'NumberFromString',
  is: t.number.is,
  validate: (u, context) =>
    typeof u === 'string' && u !== '' ? success(Number(u)) : failure({ value: u, context }),
  encode: String,
})

describe('codecOf()', () => {
  it('makes codecs that io-ts combinators accept', () => {
    const codec = t.type({ a: t.array(NumberFromString) })
    expect(codec.decode({ a: ['1', '2'] })).toEqual({ _tag: 'Right', right: { a: [1, 2] } })
    expect(codec.encode({ a: [1, 2] })).toEqual({ a: ['1', '2'] })
    expect(codec.is({ a: ['1'] })).toBe(false)
    expect(codec.decode({ a: [''] })).toMatchObject({ _tag: 'Left', left: [{ value: '' }] })
    expect(NumberFromString.decode('')).toMatchObject({ left: [{ context: [{ key: '', actual: '' }] }] })
    expect([NumberFromString.asDecoder(), NumberFromString.asEncoder()]).toEqual([
      NumberFromString,
      NumberFromString,
    ])
  })

  it('encodes a value as itself by default', () => {
    const codec = codecOf<string>({ name: 'S', is: t.string.is, validate: t.string.validate })
    expect(codec.encode('a')).toBe('a')
  })

  it('makes codecs whose pipe method works as in io-ts', () => {
    const piped = NumberFromString.pipe(t.Int as never as t.Type<number>)
    expect(piped.name).toBe('pipe(NumberFromString, Int)')
    expect(piped.decode('1')).toEqual({ _tag: 'Right', right: 1 })
    expect([piped.decode('')._tag, piped.decode('1.5')._tag]).toEqual(['Left', 'Left'])
    expect([piped.is(1), piped.is(1.5), piped.encode(1)]).toEqual([true, false, '1'])
    expect(NumberFromString.pipe(t.number, 'N').name).toBe('N')
    expect(NumberFromString.pipe(t.unknown as never).decode('')).toMatchObject({ left: [{ value: '' }] })
  })
})
