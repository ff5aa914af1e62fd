import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import { compile } from '../index.ts'
import type { Codec } from '../io-ts/codec-of.ts'
import { agree } from '../testing/hostile.fuzz.ts'
import { declare, structureOf } from './structure.ts'
import type { Node } from './table.ts'

/** Returns the node of a codec. */
function nodeOf(codec: unknown): Node {
  const { table, root } = structureOf(codec as Codec)
  return table.nodes![root]!
}

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
    const [kind, , tag, ...branches] = nodeOf(codec) as readonly unknown[]
    expect([kind, tag]).toEqual(['tagged', 'kind'])
    expect(branches.map(branch => (branch as unknown[]).slice(1))).toEqual([['a'], values])
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
    expect(nodeOf(codec)[0]).toBe('codec')
    for (const kind of ['a', 'b', 'c', undefined]) agree(codec, () => ({ kind, x: '' }))
  })

  it('is treated as a custom codec when its branches have been replaced', () => {
    const odd = Object.assign(t.union([a, b]), { types: [a, t.type({ kind: t.string })] })
    expect(nodeOf(odd)[0]).toBe('codec')
    const list = Object.assign(t.union([a, b]), { types: [a, t.array(b)] })
    expect(nodeOf(list)[0]).toBe('codec')
    const custom = new t.Type('B', b.is, b.validate, b.encode)
    expect(nodeOf(Object.assign(t.union([a, b]), { types: [a, custom] }))[0]).toBe('codec')
    const half = Object.assign(t.union([a, b]), { types: [a, t.union([b, t.string])] })
    expect(nodeOf(half)[0]).toBe('codec')
  })
})

describe('the structure of a record', () => {
  it.each<[string, Codec, readonly string[]]>([
    ['a literal', t.literal('a'), ['a']],
    ['keyof', t.keyof({ b: 0, a: 0 }), ['b', 'a']],
    ['a union of literals', t.union([t.literal('b'), t.keyof({ a: 0, b: 0, 1: 0 })]), ['1', 'b', 'a']],
    ['keyof with __proto__', t.keyof({ a: 0, ['__proto__']: 0 }), ['a']],
  ])('is that of an object with known fields when its keys are %s', (_, domain, names) => {
    const { table, root } = structureOf(t.record(domain, t.string))
    const [kind, object] = table.nodes![root] as [string, number]
    expect(kind).toBe('strips')
    expect(table.nodes![object]).toEqual([
      'object',
      ...names.flatMap(name => [`=${name}`, expect.any(Number)]),
    ])
  })

  it.each<[string, Codec, boolean]>([
    ['strings', t.string, false],
    ['numbers', t.number, true],
    ['a literal that is not a string', t.literal(1), true],
    ['a union with string', t.union([t.literal('a'), t.string]), true],
  ])('has no known fields when its keys are %s', (_, domain, strips) => {
    expect(nodeOf(t.record(domain, t.string))[0]).toBe(strips ? 'strips' : 'record')
  })
})

describe('declare()', () => {
  it('sets the structure of a codec until its guard is replaced', () => {
    const codec = new t.Type<string>('Mine', t.string.is, t.string.validate, t.identity)
    declare(codec, () => 'string')
    const changed = new t.Type<string>('Mine', t.string.is, t.string.validate, t.identity)
    declare(changed, () => 'string')
    Object.assign(changed, { is: () => true })
    expect([nodeOf(codec), nodeOf(changed)]).toEqual(['string', ['codec', 'Mine']])
    expect(compile(changed)(1)).toBe(true)
  })
})

describe('structureOf()', () => {
  it('describes a union of literals as one list of values', () => {
    expect(nodeOf(t.union([t.literal('a'), t.null]))).toEqual(['one of', "'a' or null", 'a', null])
  })

  it('describes a custom codec and a codec that shares its guard only by their names', () => {
    const own = new t.Type<string>('Own', t.string.is, t.string.validate, t.identity)
    expect([nodeOf(own), nodeOf(t.readonly(own))]).toEqual([
      ['codec', 'Own'],
      ['codec', 'Readonly<Own>'],
    ])
  })

  it('has one node for a codec that contains itself', () => {
    const Tree: t.Mixed = t.recursion('Tree', () => t.type({ trees: t.array(Tree) }))
    const { table, root } = structureOf(Tree)
    expect([table.nodes, root]).toEqual([
      [
        ['recursive', 'Tree', 2],
        ['array', 0],
        ['object', '=trees', 1],
      ],
      0,
    ])
  })
})
