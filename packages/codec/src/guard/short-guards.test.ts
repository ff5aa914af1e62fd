import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import { shortGuards } from './short-guards.ts'

const isPositive = (n: number): boolean => n > 0
const Line = t.type({ sku: t.string, count: t.refinement(t.number, isPositive) })
const nameOf = (value: unknown): string => (value as { readonly name: string }).name

describe('short guards', () => {
  it('contain one function for a check that many fields need, and expressions for other checks', () => {
    const { functions, guards } = shortGuards(
      [
        t.type({
          id: t.string,
          lines: t.array(Line),
          first: t.type({ sku: t.string, 'and more': t.string }),
        }),
      ],
      nameOf,
    )
    expect(guards).toEqual(['f2'])
    expect(functions).toEqual([
      'function f0(v) {\nreturn typeof v === "string";\n}\n',
      `function f1(v) {
let v1;
return isObject(v) &&
f0(v["sku"]) &&
(v1 = v["count"], typeof v1 === "number" &&
isPositive(v1));
}
`,
      `function f2(v) {
let v1;
return isObject(v) &&
f0(v["id"]) &&
(v1 = v["lines"], Array.isArray(v1) &&
v1.every(f1)) &&
(v1 = v["first"], isObject(v1) &&
f0(v1["sku"]) &&
f0(v1["and more"]));
}
`,
    ])
  })

  it('call Object.hasOwn only for fields that may be undefined', () => {
    const { functions } = shortGuards([t.type({ a: t.unknown, b: t.undefined })], nameOf)
    expect(functions).toEqual([
      `function f0(v) {
let v1;
return isObject(v) &&
((v1 = v["a"]) !== undefined || Object.hasOwn(v, "a")) &&
((v1 = v["b"]) !== undefined || Object.hasOwn(v, "b")) &&
(v1 === undefined);
}
`,
    ])
  })

  it('accept everything for an intersection of unknown, and nothing for a keyof without keys', () => {
    const { functions } = shortGuards(
      [t.intersection([t.unknown, t.unknown]), t.keyof({}) as unknown as t.Mixed],
      nameOf,
    )
    expect(functions).toEqual([
      'function f0(v) {\nreturn true;\n}\n',
      'function f1(v) {\nreturn (false);\n}\n',
    ])
  })

  it('read a field once, however often its value is compared', () => {
    const choice = t.keyof({ a: 0, b: 0 })
    const many = t.keyof(Object.fromEntries([...'abcdefghi'].map(key => [key, 0])))
    const { functions, sets } = shortGuards([t.type({ choice, many, again: many })], nameOf)
    expect(sets).toEqual([new Set('abcdefghi')])
    expect(functions).toEqual([
      `function f0(v) {
let v1;
return isObject(v) &&
(v1 = v["choice"], (v1 === "a" || v1 === "b")) &&
c0.has(v["many"]) &&
c0.has(v["again"]);
}
`,
    ])
  })

  it('use a fast loop for the innermost record only, when records are nested', () => {
    const loops = (codec: t.Mixed) =>
      shortGuards([codec], nameOf).functions.join('').split('fast:').length - 1
    expect(loops(t.record(t.string, t.string))).toBe(1)
    expect(loops(t.record(t.string, t.array(t.string)))).toBe(1)
    expect(loops(t.record(t.string, t.record(t.string, t.string)))).toBe(1)
  })

  it('are split so that no function grows beyond about 300 checks', () => {
    const pairs = t.type(
      Object.fromEntries(
        Array.from({ length: 110 }, (_, i) => [
          `f${i}`,
          t.type({ [`a${i}`]: t.string, [`b${i}`]: t.number }),
        ]),
      ),
    )
    const { functions } = shortGuards([pairs], nameOf)
    const longest = Math.max(...functions.map(text => text.split('isObject').length))
    expect(longest).toBeLessThan(110)
  })
})
