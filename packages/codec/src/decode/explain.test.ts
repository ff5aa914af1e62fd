import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import type { Codec } from '../io-ts/codec-of.ts'
import { lines } from '../testing/problems.fuzz.ts'
import { problems } from './problems.ts'

interface Nested {
  readonly a: Nested | null
}

describe('the reported problems', () => {
  it('have JSON pointers in which ~ and / are escaped', () => {
    const codec = t.type({ 'a/b': t.type({ '~c': t.array(t.string) }), '': t.string })
    expect(lines(codec, { 'a/b': { '~c': ['', 1] }, '': 2 })).toEqual([
      '/a~1b/~0c/1: expected string, was number 1',
      '/: expected string, was number 2',
    ])
  })

  it('follow the order of the document, and list missing fields after existing ones', () => {
    const codec = t.intersection([
      t.type({ a: t.string, missing: t.string, c: t.type({ y: t.string, x: t.string }) }),
      t.partial({ b: t.array(t.string) }),
    ])
    const value = { c: { x: 1, y: 2 }, b: ['', 3, 4], a: 5 }
    expect(problems(codec, value).map(({ pointer }) => pointer)).toEqual([
      '/c/x',
      '/c/y',
      '/b/1',
      '/b/2',
      '/a',
      '/missing',
    ])
  })

  it('follow the order of array items, and of the fields in each item', () => {
    const codec = t.array(t.type({ a: t.string, b: t.string }))
    const value = [
      { a: '', b: 1 },
      { a: 2, b: '' },
    ]
    expect(problems(codec, value).map(({ pointer }) => pointer)).toEqual(['/0/b', '/1/a'])
  })

  it('list a problem with an object before the problems with its fields', () => {
    const inner = t.type({ a: t.string })
    const fails = (order: (errors: t.Errors) => t.Errors) =>
      new t.Type(
        'Custom',
        inner.is,
        (u, context) => {
          const inside = inner.validate(u, context) as { readonly left: t.Errors }
          return t.failures(order([...inside.left, { value: u, context }]))
        },
        t.identity,
      )
    for (const codec of [fails(errors => errors), fails(errors => errors.reverse())]) {
      expect(problems(codec, { a: 1 }).map(({ pointer }) => pointer)).toEqual(['', '/a'])
    }
  })

  it('are limited to 100, followed by an entry that says how many more there are', () => {
    const found = problems(t.array(t.string), Array(150).fill(1))
    expect(found).toHaveLength(101)
    expect(found[99]).toEqual({ pointer: '/99', expected: 'string', actual: 'number 1' })
    expect(found[100]).toEqual({ pointer: '', expected: 'no more problems', actual: '50 more' })
    expect(problems(t.array(t.string), Array(100).fill(1))).toHaveLength(100)
    expect(problems(t.array(t.string), Array(101).fill(1))[100]!.actual).toBe('1 more')
  })

  it('count only the problems of one alternative of a union', () => {
    const found = problems(t.union([t.null, t.array(t.string)]), Array(150).fill(1))
    expect(found).toHaveLength(101)
    expect(found[100]!.actual).toBe('50 more')
  })

  it('are not listed completely for a value that takes too long to check', () => {
    // Each level of nesting doubles the work of a check.
    const Twice: Codec = t.recursion<Nested | null>('Twice', self =>
      t.union([t.type({ a: self }), t.type({ a: self }), t.null]),
    )
    let value: unknown = 1
    for (let i = 0; i < 16; i++) value = { a: value }
    expect(problems(Twice, value)).toHaveLength(1)
    expect(problems(t.array(t.string), Array(550_000).fill('').concat([1]))).toEqual([
      { pointer: '', expected: 'array', actual: 'something else' },
    ])
  })

  it('include a problem that is 300 levels deep', () => {
    interface List {
      readonly next: List | null
    }
    const List: t.Type<List> = t.recursion('List', self => t.type({ next: t.union([t.null, self]) }))
    let value: unknown = 'end'
    for (let i = 0; i < 300; i++) value = { next: value }
    expect(problems(List, value)).toEqual([
      { pointer: '/next'.repeat(300), expected: 'null or List', actual: "string 'end'" },
    ])
    for (let i = 0; i < 100_000; i++) value = { next: value }
    const [tooDeep] = problems(List, value)
    expect(tooDeep!.actual).toBe('something that cannot be checked')
  })
})
