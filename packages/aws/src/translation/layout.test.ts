import { describe, expect, it } from '@jest/globals'
import { type Layout, learnLayout } from './layout.ts'
import { renameKeys } from './rename-keys.ts'

type Json = Record<string, unknown>

const rename = (key: string) => (key === 'a' ? 'b' : key === 'own' ? '__proto__' : key)

/** Renames the keys of an object with the layout that is learned from the object itself. */
function byLayout(object: Json): Json {
  const layouts: Layout[] = []
  learnLayout(object, rename, {}, layouts)
  return layouts[0]!(object)!
}

const ways = [
  ['one key at a time', (object: Json) => renameKeys(object, rename)],
  ['with a learned layout', byLayout],
] as const

describe.each(ways)('renaming keys %s', (_way, renamed) => {
  it('keeps the order of keys', () => {
    expect(Object.entries(renamed({ z: 1, a: 2, c: 3 }))).toEqual([
      ['z', 1],
      ['b', 2],
      ['c', 3],
    ])
  })

  it('returns the same object when two keys would become equal, so that no value is lost', () => {
    const both = { a: 1, b: 2 }
    expect(renamed(both)).toBe(both)
    const turned = { b: 2, a: 1 }
    expect(renamed(turned)).toBe(turned)
  })

  it('returns the same object when no key is renamed', () => {
    const object = { z: 1 }
    expect(renamed(object)).toBe(object)
    const empty = {}
    expect(renamed(empty)).toBe(empty)
  })

  it('keeps __proto__ as an ordinary key, and changes no prototype', () => {
    const object = JSON.parse('{"__proto__": {"admin": true}, "a": 1}')
    expect(JSON.stringify(renamed(object))).toBe('{"__proto__":{"admin":true},"b":1}')
    expect(Object.getPrototypeOf(renamed(object))).toBe(Object.prototype)
    const renamedTo = renamed({ own: { admin: true } })
    expect(Object.hasOwn(renamedTo, '__proto__')).toBe(true)
    expect(renamedTo.admin).toBeUndefined()
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })

  it('treats keys that look like code as ordinary keys', () => {
    const key = '"]: 1 }; process.exit(3); ({ ["\u2028\\'
    expect(renamed({ [key]: 1, a: 2 })).toEqual({ [key]: 1, b: 2 })
  })
})

describe('a layout', () => {
  it('is used only for objects with exactly the learned keys in the learned order', () => {
    const layouts: Layout[] = []
    learnLayout({ x: 1, a: 2 }, rename, {}, layouts)
    const [layout] = layouts
    expect(layout?.({ x: 3, a: 4 })).toEqual({ x: 3, b: 4 })
    for (const other of [{ a: 4, x: 3 }, { x: 3 }, { x: 3, a: 4, y: 5 }, {}, { x: 3, y: 4 }]) {
      expect(layout?.(other)).toBeUndefined()
    }
  })

  it('translates nested values', () => {
    const layouts: Layout[] = []
    learnLayout({ x: 1, a: 2 }, rename, { x: value => [value], toString: () => 'never' }, layouts)
    expect(layouts[0]?.({ x: 3, a: 4 })).toEqual({ x: [3], b: 4 })
  })

  it('is not learned from an object if none of its keys is renamed', () => {
    const layouts: Layout[] = []
    learnLayout({ x: 1 }, rename, { x: value => [value] }, layouts)
    expect(layouts).toHaveLength(0)
  })

  it('is not learned when eight are already known, or from an object with more than 64 keys', () => {
    const layouts: Layout[] = []
    learnLayout(Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`k${i}`, i])), rename, {}, layouts)
    expect(layouts).toHaveLength(0)
    for (let i = 0; i < 20; i++) learnLayout({ [`k${i}`]: 1 }, rename, {}, layouts)
    expect(layouts).toHaveLength(8)
  })
})
