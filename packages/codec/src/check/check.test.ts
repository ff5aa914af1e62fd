import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import { lines } from '../problems/problems.fuzz.ts'

describe('the reported problems', () => {
  it('distinguish a missing field from a field that is undefined', () => {
    const codec = t.type({ a: t.string, b: t.unknown, c: t.string })
    expect(lines(codec, { a: undefined, c: 'c' })).toEqual([
      '/a: expected string, was undefined',
      '/b: expected anything, was nothing',
    ])
  })

  it('name the keys of the wrong values in a record', () => {
    const byName = t.record(
      t.refinement(t.string, key => key !== 'free'),
      t.string,
    )
    expect(lines(byName, { a: 'a', b: 1, free: 2 })).toEqual(['/b: expected string, was number 1'])
    expect(lines(t.record(t.keyof({ a: 0, b: 0 }), t.string), { b: 1 })).toEqual([
      '/b: expected string, was number 1',
      '/a: expected string, was nothing',
    ])
    expect(lines(t.record(t.string, t.any), [])).toEqual([])
    expect(lines(t.tuple([t.record(t.string, t.any), t.string]), [[], 1])).toEqual([
      '/1: expected string, was number 1',
    ])
    expect(lines(t.record(t.string, t.any), 1)).toEqual(['the value: expected object, was number 1'])
  })

  it('do not mention a field of unknown type, whatever its value', () => {
    expect(lines(t.type({ a: t.unknown, b: t.string, c: t.UnknownArray }), { a: 1, b: 2, c: [3] })).toEqual([
      '/b: expected string, was number 2',
    ])
  })

  it('do not mention holes in a sparse array, because the guard accepts them', () => {
    const sparse: unknown[] = ['a']
    sparse[2] = 1
    expect(lines(t.array(t.string), sparse)).toEqual(['/2: expected string, was number 1'])
  })

  describe('for a union', () => {
    const Shape = t.union([
      t.type({ kind: t.literal('circle'), radius: t.number }),
      t.type({ kind: t.literal('square'), side: t.number, at: t.type({ x: t.number }) }),
    ])

    it('come from the alternative whose tag equals the tag of the value', () => {
      expect(lines(Shape, { kind: 'square', side: 1, at: {} })).toEqual([
        '/at/x: expected number, was nothing',
      ])
    })

    it('list the known tags when the tag is unknown', () => {
      const tags = "expected one of 'circle', 'square'"
      expect(lines(Shape, { kind: 'line' })).toEqual([`/kind: ${tags}, was string 'line'`])
      expect(lines(Shape, {})).toEqual([`/kind: ${tags}, was nothing`])
      expect(lines(Shape, 1)).toEqual(['the value: expected object, was number 1'])
    })

    it('come from the alternative for the type of the value, such as an array', () => {
      const codec = t.union([t.string, t.array(t.string), t.type({ a: t.string, b: t.string }), t.null])
      expect(lines(codec, ['a', 1])).toEqual(['/1: expected string, was number 1'])
      expect(lines(codec, { a: '' })).toEqual(['/b: expected string, was nothing'])
    })

    it('come from the alternative with the fewest problems', () => {
      const codec = t.union([
        t.type({ a: t.string, b: t.string, c: t.string }),
        t.type({ a: t.number, d: t.string }),
      ])
      expect(lines(codec, { a: 1 })).toEqual(['/d: expected string, was nothing'])
      expect(lines(codec, { a: '', b: '' })).toEqual(['/c: expected string, was nothing'])
    })

    it('come from an alternative whose literals match, even if it has more problems', () => {
      // The optional field keeps io-ts from finding a tag.
      const codec = t.union([
        t.intersection([t.partial({ x: t.string }), t.type({ kind: t.keyof({ a: 0 }) })]),
        t.type({ kind: t.keyof({ b: 0 }), c: t.string, d: t.string, e: t.string }),
      ])
      expect(lines(codec, { kind: 'b', c: '' })).toEqual([
        '/d: expected string, was nothing',
        '/e: expected string, was nothing',
      ])
    })

    it('count a missing literal as one problem, like any other missing field', () => {
      const codec = t.union([
        t.type({ x: t.string, y: t.string }),
        t.intersection([t.partial({ z: t.string }), t.type({ kind: t.keyof({ a: 0 }) })]),
      ])
      expect(lines(codec, {})).toEqual(["/kind: expected 'a', was nothing"])
    })

    it('come from the closest alternative even in nested unions', () => {
      const codec = t.union([
        t.null,
        t.union([t.string, t.type({ a: t.union([t.null, t.array(t.string)]) })]),
      ])
      expect(lines(codec, { a: [1, ''] })).toEqual(['/a/0: expected string, was number 1'])
    })
  })
})
