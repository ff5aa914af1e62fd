import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import { standard, validate } from '../index.ts'

const Order = t.type({ id: t.string, 'a/b': t.array(t.number) })

describe('standard(codec)', () => {
  const { validate: check, ...rest } = standard(Order)['~standard']

  it('is a Standard Schema of version 1', () => {
    expect(rest).toEqual({ version: 1, vendor: 'signalbox' })
  })

  it('returns the decoded value, or issues with paths', () => {
    expect(check({ id: 'o1', 'a/b': [] })).toEqual({ value: { id: 'o1', 'a/b': [] } })
    expect(check({ id: 'o1', 'a/b': [1, 'x'] })).toEqual({
      issues: [{ message: "expected number, was string 'x'", path: ['a/b', '1'] }],
    })
  })

  it('is accepted by validate(), which reports the same pointers as for the codec', () => {
    expect(validate(standard(Order), { id: 'o1', 'a/b': ['x'] })).toMatchObject({
      left: [{ pointer: '/a~1b/0', actual: "string 'x'" }],
    })
  })

  it('does not escape ~ and / in the keys of a path', () => {
    expect(standard(t.type({ 'a~b/c~1': t.number }))['~standard'].validate({ 'a~b/c~1': 'x' })).toMatchObject(
      {
        issues: [{ path: ['a~b/c~1'] }],
      },
    )
  })
})
