import { describe, expect, it } from '@jest/globals'
import { compileModule } from './compile-module.ts'

const head = `import * as t from 'io-ts'\nimport { queue, post } from '@signalbox/queue'\n`

describe('compileModule()', () => {
  it.each([
    ['a module without codecs', 'export const a = 1'],
    ['a module that cannot be parsed', "import 'io-ts'; const const"],
    [
      'a module that imports only types',
      "import type * as t from 'io-ts'\nexport type A = t.TypeOf<t.StringC>",
    ],
  ])('leaves %s unchanged', (_, code) => {
    expect(compileModule('/a.ts', code)).toBeUndefined()
  })

  it('replaces codecs in Signalbox calls with compiled codecs, and marks the originals as removable', () => {
    const { code, left } = compileModule(
      '/a.ts',
      `${head}const A = t.type({ 'a b': t.literal(1) })\nqueue({ body: A, list: [t.null] })`,
    )!
    expect(left).toEqual([])
    expect(code).toContain('queue({ body: $ready0, list: [$ready1] })')
    expect(code).toContain('const A = /* @__PURE__ */ $understood(/* @__PURE__ */ t.type(')
  })

  it.each([
    [
      'codecs in a module that uses their name twice',
      'const f = (t: string) => queue(t)',
      'the name t has two meanings',
    ],
    [
      'a codec with an inline function',
      'queue({ body: t.refinement(t.string, () => true) })',
      't in line 3 is used in a way',
    ],
    ['a codec that is a computed member of t', 'queue({ body: t["string"] })', 't in line 3'],
    ['a codec with a method', 'queue({ body: t.type({ a() {} } as never) })', 't in line 3'],
    ['a codec with a spread', 'queue({ body: t.type({ ...x }) })', 't in line 3'],
    ['a codec with a computed key', 'queue({ body: t.type({ ["a"]: t.string }) })', 't in line 3'],
    ['a union without a list of codecs', 'queue({ body: t.union(null) })', 't in line 3'],
    ['a codec that strips fields', 'queue({ body: t.strict({}) })', 'cannot be compiled ahead of time'],
  ])('does not compile %s, and reports the reason', (_, line, why) => {
    const { code, left } = compileModule('/a.ts', head + line)!
    expect(left.join()).toContain(why)
    expect(code).toMatch(/\$understandIoTs\(\)|\$understood\(/)
    expect(code).not.toContain('$ready')
  })

  it('keeps a codec whose fields a route reads', () => {
    const { code } = compileModule(
      '/a.ts',
      `${head}post('/', { query: t.type({ a: t.string }), body: t.type({ a: t.string }) })`,
    )!
    expect(code).toContain('query: $understood(t.type(')
    expect(code).toContain('body: $ready0')
  })

  it('keeps codecs that are passed to functions of other packages', () => {
    const { code } = compileModule(
      '/a.ts',
      `${head}const A = t.type({ a: t.string })\nexport const B = other(A, A.props)`,
    )!
    expect(code).toContain('other(A, A.props)')
  })

  it('keeps io-ts support in a module that uses wire codecs', () => {
    const { code } = compileModule(
      '/a.ts',
      "import { string } from '@signalbox/codec/wire'\nexport const a = string",
    )!
    expect(code).toMatch(/^import .*;\$\$understandIoTs\(\);import/)
  })

  it.each([
    ["queue({ onMessage() {}, 'body': x })", true],
    ['queue({ onMessage, onBatch: undefined })', false],
    ['queue({ onMessage, ...others })', false],
    ['queue({ onMessage, [name]: 1 })', false],
    ['queue({ onBatch() {} })', false],
    ['queue(options)', false],
    ['other.queue({ onMessage })', false],
  ])(
    'replaces queue() in the call `%s` only if the call certainly has no batch handler',
    (call, expected) => {
      const code = compileModule('/a.ts', `import { queue } from '@signalbox/queue'\n${call}`)?.code
      if (!expected) return expect(code).toBeUndefined()
      expect(code).toContain("import { queue as $queue } from '@signalbox/queue/on-message'")
      expect(code).toContain('$queue({ onMessage() {}')
    },
  )
})
