import { describe, expect, it } from '@jest/globals'
import { hasRight, rightsCheck } from './rights.ts'

const may = (names: readonly string[], resource: string) =>
  rightsCheck({ queues: { send: names } })('queues', 'send', resource)

describe('rightsCheck()', () => {
  it.each([
    [['orders'], 'includes', 'orders'],
    [['orders'], 'excludes', 'order'],
    [['orders'], 'excludes', 'orders2'],
    [['*'], 'includes', 'orders'],
    [['*'], 'includes', '*'],
    [['or*'], 'includes', 'or'],
    [['or*'], 'excludes', '*'],
    [['**'], 'excludes', '*'],
    [['*rs'], 'includes', 'orders'],
    [['o*d*s'], 'includes', 'orders'],
    [['o*x*s'], 'excludes', 'orders'],
    [['or*rs'], 'excludes', 'ors'],
    [['or*ers*s'], 'excludes', 'orders'],
    [['a*.b'], 'excludes', 'axxb'],
    [['*@a.example'], 'includes', 'x@a.example'],
    [['*@a.example'], 'excludes', 'x@a.example.org'],
    [[], 'excludes', 'orders'],
  ])('a right to the queues %j %s the queue "%s"', (names, verb, resource) => {
    expect(may(names, resource)).toBe(verb === 'includes')
  })

  it('does not derive a right to receive, or a right over mail, from the right to send to all queues', () => {
    const check = rightsCheck({ queues: { send: ['*'] }, mail: {} })
    expect(check('queues', 'receive', 'orders')).toBe(false)
    expect(check('mail', 'send', 'orders')).toBe(false)
    expect(check('toString', 'call', 'orders')).toBe(false)
  })

  it.each([
    [{ mail: { submit: ['a@b'] } }, true],
    [{ mail: { submit: [] } }, false],
    [{ mail: { read: ['*'] } }, false],
    [{ queues: { submit: ['*'] } }, false],
    [{}, false],
  ])('the rights %j are a right to submit some mail: %s', (rights, expected) => {
    expect(hasRight(rights, 'mail', 'submit')).toBe(expected)
  })

  it('quickly matches a pattern with many stars against a long name', () => {
    expect(may([`${'a*'.repeat(120)}b`], 'a'.repeat(100_000))).toBe(false)
  })
})
