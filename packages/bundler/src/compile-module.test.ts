import { describe, expect, it } from '@jest/globals'
import { compileModule } from './compile-module.ts'

const head = `import * as t from 'io-ts'\nimport { queue, post } from '@signalbox/queue'\n`

describe('a module', () => {
  it.each([
    ['without codecs', 'export const a = 1'],
    ['that cannot be parsed', "import 'io-ts'; const const"],
    ['of types', "import type * as t from 'io-ts'\nexport type A = t.TypeOf<t.StringC>"],
  ])('%s is not changed', (_, code) => {
    expect(compileModule('/a.ts', code)).toBeUndefined()
  })

  it('has ready codecs in calls of Signalbox, and drops unused ones', () => {
    const { code, left } = compileModule(
      '/a.ts',
      `${head}const A = t.type({ 'a b': t.literal(1) })\nqueue({ body: A, list: [t.null] })`,
    )!
    expect(left).toEqual([])
    expect(code).toContain('queue({ body: $ready0, list: [$ready1] })')
    expect(code).toContain('const A = /* @__PURE__ */ $understood(/* @__PURE__ */ t.type(')
  })

  it.each([
    ['a name with two meanings', 'const f = (t: string) => queue(t)', 'the name t has two meanings'],
    ['a function', 'queue({ body: t.refinement(t.string, () => true) })', 't in line 3 is used in a way'],
    ['a computed member', 'queue({ body: t["string"] })', 't in line 3'],
    ['a method of a codec', 'queue({ body: t.type({ a() {} } as never) })', 't in line 3'],
    ['a spread', 'queue({ body: t.type({ ...x }) })', 't in line 3'],
    ['a computed key', 'queue({ body: t.type({ ["a"]: t.string }) })', 't in line 3'],
    ['a wrong number of codecs', 'queue({ body: t.union(null) })', 't in line 3'],
    ['a codec that strips', 'queue({ body: t.strict({}) })', 'cannot be compiled ahead of time'],
  ])('keeps %s uncompiled, and the reason is reported', (_, line, why) => {
    const { code, left } = compileModule('/a.ts', head + line)!
    expect(left.join()).toContain(why)
    expect(code).toMatch(/\$understandIoTs\(\)|\$understood\(/)
    expect(code).not.toContain('$ready')
  })

  it('keeps codecs whose fields routes read', () => {
    const { code } = compileModule(
      '/a.ts',
      `${head}post('/', { query: t.type({ a: t.string }), body: t.type({ a: t.string }) })`,
    )!
    expect(code).toContain('query: $understood(t.type(')
    expect(code).toContain('body: $ready0')
  })

  it('keeps codecs that are passed to functions outside of Signalbox', () => {
    const { code } = compileModule(
      '/a.ts',
      `${head}const A = t.type({ a: t.string })\nexport const B = other(A, A.props)`,
    )!
    expect(code).toContain('other(A, A.props)')
  })

  it('that uses codecs of the wire can still understand io-ts', () => {
    const { code } = compileModule(
      '/a.ts',
      "import { string } from '@signalbox/codec/wire'\nexport const a = string",
    )!
    expect(code).toMatch(/^import .*\n\$understandIoTs\(\);/)
  })
})
