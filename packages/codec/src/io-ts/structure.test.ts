import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import { compile } from '../guard/compile.ts'
import { agree } from '../guard/hostile.fuzz.ts'
import type { Codec } from './codec-structure.ts'
import { declare } from './declared.ts'
import { structure } from './structure.ts'

const a = t.type({ kind: t.literal('a'), x: t.string })
const b = t.type({ kind: t.literal('b') })
const c = t.type({ kind: t.literal('c') })

describe('a tagged union', () => {
  it.each<[string, Codec, readonly unknown[]]>([
    ['exact', t.exact(b), ['b']],
    ['strict', t.strict({ kind: t.literal('b') }), ['b']],
    ['readonly', t.readonly(b), ['b']],
    ['refined', t.refinement(b, () => true), ['b']],
    ['recursive', t.recursion<unknown>('B', () => b as Codec), ['b']],
    ['an intersection', t.intersection([t.type({ y: t.string }), b, t.partial({ z: t.string })]), ['b']],
    ['a union', t.union([b, c]), ['b', 'c']],
  ])('is recognized by its tag when a branch is %s', (_, branch, values) => {
    const codec = t.union([a, branch])
    expect(structure(codec)).toMatchObject({ kind: 'tagged', tag: 'kind', values: [['a'], values] })
    for (const kind of ['a', 'b', 'c', 'd', undefined]) agree(codec, () => ({ kind, x: '', y: '' }))
  })

  it.each<[string, Codec]>([
    ['an intersection of two parts with the tag', t.intersection([b, b])],
    [
      'nested in 30 intersections',
      Array.from({ length: 30 }).reduce<Codec>(codec => t.intersection([codec, t.type({ y: t.string })]), b),
    ],
    ['nested in 30 readonly codecs', Array.from({ length: 30 }).reduce<Codec>(codec => t.readonly(codec), b)],
  ])('is treated as a custom codec when a branch is %s', (_, branch) => {
    const codec = t.union([a, branch])
    expect(codec).toHaveProperty('tag', 'kind')
    expect(structure(codec).kind).toBe('custom')
    for (const kind of ['a', 'b', 'c', undefined]) agree(codec, () => ({ kind, x: '' }))
  })

  it('is treated as a custom codec when its branches have been replaced', () => {
    const odd = Object.assign(t.union([a, b]), { types: [a, t.type({ kind: t.string })] })
    expect(structure(odd).kind).toBe('custom')
    const list = Object.assign(t.union([a, b]), { types: [a, t.array(b)] })
    expect(structure(list).kind).toBe('custom')
    const custom = new t.Type('B', b.is, b.validate, b.encode)
    expect(structure(Object.assign(t.union([a, b]), { types: [a, custom] })).kind).toBe('custom')
    const half = Object.assign(t.union([a, b]), { types: [a, t.union([b, t.string])] })
    expect(structure(half).kind).toBe('custom')
  })
})

describe('the structure of a record', () => {
  it.each<[string, Codec, readonly string[]]>([
    ['a literal', t.literal('a'), ['a']],
    ['keyof', t.keyof({ b: 0, a: 0 }), ['b', 'a']],
    ['a union of literals', t.union([t.literal('b'), t.keyof({ a: 0, b: 0, 1: 0 })]), ['1', 'b', 'a']],
    ['keyof with __proto__', t.keyof({ a: 0, ['__proto__']: 0 }), ['a']],
  ])('is that of an object with known fields when its keys are %s', (_, domain, names) => {
    expect(structure(t.record(domain, t.string))).toMatchObject({ kind: 'object', names, strips: true })
  })

  it.each<[string, Codec, boolean]>([
    ['strings', t.string, false],
    ['numbers', t.number, true],
    ['a literal that is not a string', t.literal(1), true],
    ['a union with string', t.union([t.literal('a'), t.string]), true],
  ])('has no known fields when its keys are %s', (_, domain, strips) => {
    expect(structure(t.record(domain, t.string))).toMatchObject({ kind: 'record', strips })
  })
})

describe('declare()', () => {
  it('sets the structure of a codec until its guard is replaced', () => {
    const codec = new t.Type<string>('Mine', t.string.is, t.string.validate, t.identity)
    declare(codec, { kind: 'typeof', parts: [], type: 'string' })
    const changed = new t.Type<string>('Mine', t.string.is, t.string.validate, t.identity)
    declare(changed, { kind: 'typeof', parts: [], type: 'string' })
    Object.assign(changed, { is: () => true })
    expect([structure(codec).kind, structure(changed).kind]).toEqual(['typeof', 'custom'])
    expect(compile(changed)(1)).toBe(true)
  })
})

describe('structure()', () => {
  it('describes a union of literals as one list of values', () => {
    expect(structure(t.union([t.literal('a'), t.null]))).toEqual({
      kind: 'oneOf',
      parts: [],
      values: ['a', null],
    })
  })

  it('returns the kind "custom" for a custom codec and for a codec that shares its guard', () => {
    const own = new t.Type<string>('Own', t.string.is, t.string.validate, t.identity)
    expect([structure(own), structure(t.readonly(own))]).toEqual([
      { kind: 'custom', parts: [] },
      { kind: 'custom', parts: [] },
    ])
  })
})
