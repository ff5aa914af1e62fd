import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import { byTag, list, object, omittable, optional, required, string } from '../wire/index.ts'
import { shortGuards } from './short-guards.ts'

const isPositive = (n: number): boolean => n > 0
const Line = t.type({ sku: t.string, count: t.refinement(t.number, isPositive) })
const letters = (text: string) => t.keyof(Object.fromEntries([...text].map(key => [key, 0])))
const nameOf = (value: unknown): string => (value as { readonly name: string }).name

describe('short guards', () => {
  it('contain a function for the items of a list, and expressions for other checks', () => {
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
    expect(guards).toEqual(['f1'])
    expect(functions).toEqual([
      `function f0(v) {
let v1;
return isObject(v) &&
typeof v["sku"] === "string" &&
(v1 = v["count"], typeof v1 === "number" &&
isPositive(v1));
}
`,
      `function f1(v) {
let v1;
return isObject(v) &&
typeof v["id"] === "string" &&
(v1 = v["lines"], Array.isArray(v1) &&
v1.every(f0)) &&
(v1 = v["first"], isObject(v1) &&
typeof v1["sku"] === "string" &&
typeof v1["and more"] === "string");
}
`,
    ])
  })

  it('call Object.hasOwn only for fields that can be undefined', () => {
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

  it('read a field only once, even if they compare its value several times', () => {
    const choice = letters('ab')
    const many = letters('abcdefghi')
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

  it('share a set only between codecs that accept the same values', () => {
    const { functions, sets } = shortGuards(
      [
        t.type({
          ten: letters('abcdefghij'),
          nine: letters('abcdefghi'),
          overlapping: letters('bcdefghij'),
          reversed: letters('ihgfedcba'),
          backwards: letters('jihgfedcb'),
          eight: letters('abcdefgh'),
        }),
      ],
      nameOf,
    )
    expect(sets.map(set => [...set].join(''))).toEqual(['abcdefghij', 'abcdefghi', 'bcdefghij'])
    expect(functions).toEqual([
      `function f0(v) {
let v1;
return isObject(v) &&
c0.has(v["ten"]) &&
c1.has(v["nine"]) &&
c2.has(v["overlapping"]) &&
c1.has(v["reversed"]) &&
c2.has(v["backwards"]) &&
(v1 = v["eight"], (${[...'abcdefgh'].map(key => `v1 === "${key}"`).join(' || ')}));
}
`,
    ])
  })

  it('do not check whether an omittable field is present, even if its value can be undefined', () => {
    const field = omittable(t.union([t.string, t.undefined]))
    expect(shortGuards([object('fields', { field })], nameOf).functions).toEqual([
      `function f0(v) {
let v1;
return isObject(v) &&
(v1 = v["field"], (v1 === undefined || (typeof v1 === "string" || (v1 === undefined))));
}
`,
    ])
  })

  it('accept an absent field that is omittable, and an absent or null field that is optional', () => {
    const { functions } = shortGuards(
      [
        object('fields', {
          optional: optional(string),
          omittable: omittable(string),
          texts: omittable(list(string)),
          others: optional(list(string)),
          required: required(string),
        }),
      ],
      nameOf,
    )
    expect(functions).toEqual([
      `function f0(v) {
if (!Array.isArray(v)) return false;
for (let i = 0; i < v.length; i++) if (!(typeof v[i] === "string")) return v.every(w => typeof w === "string");
return true;
}
`,
      `function f1(v) {
let v1;
return isObject(v) &&
(v1 = v["optional"], (v1 == null || typeof v1 === "string")) &&
(v1 = v["omittable"], (v1 === undefined || typeof v1 === "string")) &&
(v1 = v["texts"], (v1 === undefined || f0(v1))) &&
(v1 = v["others"], (v1 == null || f0(v1))) &&
typeof v["required"] === "string";
}
`,
    ])
  })

  it('keep the tag of an outer object and the inner object in different variables', () => {
    const inner = byTag('inner', 'k', { c: t.type({}), d: t.type({ e: t.number }) })
    const outer = byTag('outer', 'kind', { a: t.type({ a: t.string }), b: t.type({ b: inner }) })
    expect(shortGuards([t.type({ x: outer })], nameOf).functions).toEqual([
      `function f0(v) {
let v1,v2,v3;
return isObject(v) &&
(v3 = v["x"], isObject(v3) && (v1 = v3["kind"], (v1 === "a") ? isObject(v3) &&
typeof v3["a"] === "string" :
(v1 === "b") ? isObject(v3) &&
(v2 = v3["b"], isObject(v2) && (v1 = v2["k"], (v1 === "c") ? isObject(v2) :
(v1 === "d") ? isObject(v2) &&
typeof v2["e"] === "number" :
false)) :
false));
}
`,
    ])
  })

  it('check every part of an intersection', () => {
    const codec = t.intersection([t.type({ a: t.literal(1) }), t.partial({ b: t.literal(2) })])
    expect(shortGuards([codec], nameOf).functions).toEqual([
      `function f0(v) {
let v1;
return isObject(v) &&
(v["a"] === 1) &&
isObject(v) &&
(v1 = v["b"], (v1 === undefined || (v1 === 2)));
}
`,
    ])
  })

  it('check the alternatives of a union in order', () => {
    const one = t.type({ a: t.literal(1) })
    const codecs = [t.union([t.string, t.number, one]), t.type({ a: t.union([one, t.undefined]) })]
    expect(shortGuards(codecs, nameOf).functions).toEqual([
      `function f0(v) {
return (typeof v === "string" || typeof v === "number" || isObject(v) &&
(v["a"] === 1));
}
`,
      `function f1(v) {
let v1;
return isObject(v) &&
((v1 = v["a"]) !== undefined || Object.hasOwn(v, "a")) &&
(isObject(v1) &&
(v1["a"] === 1) || (v1 === undefined));
}
`,
    ])
  })

  it('loop over the own keys of a record', () => {
    const record = (name: string, accepted: string) => `function ${name}(v) {
if (!isObject(v)) return false;
try {
for (const k in v) if (!(${accepted})) throw 0;
return true;
} catch {}
return Object.keys(v).every(k => ${accepted});
}
`
    const ofNumbers = shortGuards([t.record(t.string, t.number)], nameOf)
    expect(ofNumbers.functions).toEqual([record('f0', 'typeof v[k] === "number"')])
    const ofLists = shortGuards([t.record(t.string, t.array(t.number))], nameOf)
    expect(ofLists.guards).toEqual(['f1'])
    expect(ofLists.functions).toEqual([
      `function f0(v) {
if (!Array.isArray(v)) return false;
for (let i = 0; i < v.length; i++) if (!(typeof v[i] === "number")) return v.every(w => typeof w === "number");
return true;
}
`,
      record('f1', 'f0(v[k])'),
    ])
  })

  it('skip the holes of a list, as the codec does', () => {
    const codec = t.array(t.string)
    const { functions, guards } = shortGuards([codec], nameOf)
    const guard = new Function(`${functions.join('')}return ${guards[0]}`)()
    const lists = [[], ['a'], Object.assign([], { 1: 'a' }), ['a', undefined], ['a', 1], {}]
    expect(lists.map(guard)).toEqual([true, true, true, false, false, false])
    expect(lists.map(codec.is)).toEqual(lists.map(guard))
  })

  it('accept a list of valid elements without asking its own every, which decides about other lists', () => {
    const codec = t.array(t.string)
    const { functions, guards } = shortGuards([codec], nameOf)
    const guard = new Function(`${functions.join('')}return ${guards[0]}`)()
    const lists = [['a'], ['a', 1]].flatMap(items =>
      [true, false].map(answer => Object.assign([...items], { every: () => answer })),
    )
    expect(lists.map(guard)).toEqual([true, true, true, false])
    expect(lists.map(codec.is)).toEqual([true, false, true, false])
  })

  it('read the elements of a list again if one of them is refused', () => {
    const { functions, guards } = shortGuards([t.array(t.string)], nameOf)
    const guard = new Function(`${functions.join('')}return ${guards[0]}`)()
    const reads = (...items: unknown[]) => {
      let count = 0
      const list: unknown[] = []
      for (const [at, item] of items.entries())
        Object.defineProperty(list, at, {
          get() {
            count++
            return item
          },
        })
      return [guard(list), count]
    }
    expect(reads('a', 'b', 'c')).toEqual([true, 3])
    expect(reads('a', 1, 'c')).toEqual([false, 4])
  })

  it('accept a missing record if it is optional', () => {
    const { functions, guards } = shortGuards([t.partial({ a: t.record(t.string, t.number) })], nameOf)
    expect(guards).toEqual(['f1'])
    expect(functions[1]).toBe(`function f1(v) {
let v1;
return isObject(v) &&
(v1 = v["a"], (v1 === undefined || f0(v1)));
}
`)
  })

  it('use a fast loop only for the innermost of nested records', () => {
    const loops = (codec: t.Mixed) =>
      shortGuards([codec], nameOf).functions.join('').split('try {').length - 1
    expect(loops(t.record(t.string, t.string))).toBe(1)
    expect(loops(t.record(t.string, t.array(t.string)))).toBe(1)
    expect(loops(t.record(t.string, t.record(t.string, t.string)))).toBe(1)
  })

  it('call the guard of another codec in the same module, even if its code is short', () => {
    const inner = t.type({ one: t.literal(1) })
    const either = t.union([inner, t.undefined])
    const { functions, guards } = shortGuards(
      [inner, t.type({ x: inner }), either, t.union([either, t.number])],
      nameOf,
    )
    expect(guards).toEqual(['f0', 'f1', 'f2', 'f3'])
    expect(functions.slice(1)).toEqual([
      'function f1(v) {\nreturn isObject(v) &&\nf0(v["x"]);\n}\n',
      'function f2(v) {\nreturn (f0(v) || (v === undefined));\n}\n',
      'function f3(v) {\nreturn (f2(v) || typeof v === "number");\n}\n',
    ])
  })

  it('stay small when each of 60 nested codecs contains the next one twice', () => {
    let codec: t.Mixed = t.string
    for (let i = 0; i < 60; i++) codec = t.partial({ a: codec, b: codec }, 'Twice')
    const { functions } = shortGuards([codec], nameOf)
    expect(functions).toHaveLength(61)
    expect(functions.join('').length).toBeLessThan(6000)
  })

  it('are split into functions of at most 300 checks', () => {
    const fields = t.type({
      one: t.literal(1),
      two: t.literal(2),
      ...Object.fromEntries(
        Array.from({ length: 110 }, (_, i) => [
          `f${i}`,
          t.type({ [`a${i}`]: t.string, [`b${i}`]: t.number }),
        ]),
      ),
    })
    const { functions } = shortGuards([fields], nameOf)
    // The main function checks that the value is an object, two literals, and 99 fields with three checks each.
    const objects = functions.map(text => text.split('isObject').length - 1)
    expect(objects).toEqual([...Array<number>(11).fill(1), 1 + 99])
  })
})
