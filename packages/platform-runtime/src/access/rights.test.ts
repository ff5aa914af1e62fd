import { describe, expect, it } from '@jest/globals'
import { rightsCheck } from './rights.ts'

const may = (names: readonly string[], resource: string) =>
  rightsCheck({ queues: { send: names } })('queues', 'send', resource)

describe('rightsCheck', () => {
  it.each([
    [['orders'], 'orders', true],
    [['orders'], 'order', false],
    [['orders'], 'orders2', false],
    [['*'], 'orders', true],
    [['*'], '*', true],
    [['or*'], 'or', true],
    [['or*'], '*', false],
    [['**'], '*', false],
    [['*rs'], 'orders', true],
    [['o*d*s'], 'orders', true],
    [['o*x*s'], 'orders', false],
    [['or*rs'], 'ors', false],
    [['or*ers*s'], 'orders', false],
    [['a*.b'], 'axxb', false],
    [['*@a.example'], 'x@a.example', true],
    [['*@a.example'], 'x@a.example.org', false],
    [[], 'orders', false],
  ])('a right over %j is a right over %s: %s', (names, resource, expected) => {
    expect(may(names, resource)).toBe(expected)
  })

  it('a right over one collection gives no right over another, and no other right', () => {
    const check = rightsCheck({ queues: { send: ['*'] }, mail: {} })
    expect(check('queues', 'receive', 'orders')).toBe(false)
    expect(check('mail', 'send', 'orders')).toBe(false)
    expect(check('toString', 'call', 'orders')).toBe(false)
  })

  it('a pattern of many stars takes little time for a long name', () => {
    expect(may([`${'a*'.repeat(120)}b`], 'a'.repeat(100_000))).toBe(false)
  })
})
