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
      `${head}const A = t.type({ 'a b': t.literal(1) })\npost({ body: A, list: [t.null] })`,
    )!
    expect(left).toEqual([])
    expect(code).toContain('post({ body: $ready0, list: [$ready1] })')
    expect(code).toContain('const A = /* @__PURE__ */ t.type(')
  })

  it.each([
    [
      'codecs in a module that uses their name twice',
      'const f = (t: string) => queue(t)',
      'The name t has two meanings in this module',
      'Rename one of them',
    ],
    [
      'a codec with an inline function',
      'queue({ body: t.refinement(t.string, () => true) })',
      'because of t.refinement',
      'Write it with type, partial,',
    ],
    [
      'a codec that is a computed member of t',
      'queue({ body: t["string"] })',
      't is used in a way',
      'Write t.type',
    ],
    [
      'a codec with a method',
      'queue({ body: t.type({ a() {} } as never) })',
      'because of a() {}',
      'Write each',
    ],
    ['a codec with a spread', 'queue({ body: t.type({ ...x }) })', 'because of ...x', 'Write each field'],
    [
      'a codec with a computed key',
      'queue({ body: t.type({ ["a"]: t.string }) })',
      'because of ["a"]: t.string',
      'Write each field',
    ],
    [
      'a codec with an unknown part',
      'queue({ body: t.array(t.type({ a: Text })) })',
      'because of Text',
      'Make Text a constant codec of this module',
    ],
    [
      'a codec that another function returns',
      'queue({ body: t.array(nonEmpty(t.string)) })',
      'because of nonEmpty',
      'Write it with type',
    ],
    ['a union without a list of codecs', 'queue({ body: t.union(null) })', 'because of t.union', 'Write it'],
    [
      'a codec that strips fields',
      'post({ body: t.type({ a: t.strict({}) }) })',
      'because of t.strict or t.exact',
      'Write t.type, which does not remove other fields',
    ],
    ['a tuple', 'post({ body: t.tuple([t.string]) })', 'because of t.tuple', 'Write t.array or t.type'],
    [
      'a field that may be undefined',
      'post({ body: t.type({ a: t.union([t.string, t.undefined]) }) })',
      'a field that may be undefined',
      'Write the field with t.partial',
    ],
    [
      'a codec in the call of another function',
      'other(t.string)',
      'The codec is used here, outside of the arguments of a Signalbox function',
      'Call a function of Signalbox',
    ],
  ])('does not compile %s, and reports the reason, the place and what to do', (_, line, why, advice) => {
    const { code, left } = compileModule('/a.ts', head + line)!
    expect(left).toMatchObject([
      { sentence: expect.stringContaining(why), at: { line: 3, column: expect.any(Number) } },
    ])
    expect(left[0]!.sentence).toContain(`and io-ts checks its values. ${advice}`)
    expect(code).toBe(head + line)
  })

  it('reports a codec once, where it is made or first used', () => {
    const used = 'const A = t.type({ a: t.string })\nother(A)\nother(A.props)\nexport default A\nconst B = A'
    expect(compileModule('/a.ts', head + used)!.left).toMatchObject([{ at: { line: 4, column: 6 } }])
    const made =
      'const A = t.refinement(t.string, () => true)\nqueue({ body: t.type({ a: A }) })\nqueue({ body: A })'
    expect(compileModule('/a.ts', head + made)!.left).toMatchObject([{ at: { line: 3, column: 10 } }])
  })

  it('reports that a module cannot be parsed', () => {
    expect(compileModule('/a.ts', `${head}const const`)!.left).toEqual([
      { sentence: expect.stringContaining('cannot be parsed') },
    ])
  })

  it.each([
    ["post('/', { accepts: ['form'], body: t.type({ a: t.string }) })"],
    ["post('/', { ...common, body: t.type({ a: t.string }) })"],
    ["post('/', { body: byType({ 'application/x-www-form-urlencoded': t.type({ a: t.string }) }) })"],
    ["group('/', [], add => [add.post('/', { query: t.type({ a: t.string }) })])"],
    ["group('/', [], ({ get }) => [get('/', { query: t.type({ a: t.string }) })])"],
    [
      "group('/', [], ({ group: inner }) => [inner('/', [], r => [r.get('/', { query: t.type({ a: t.string }) })])])",
    ],
    [
      "group('/', [], add => [add.group('/', [], ({ put }) => [put('/', { query: t.type({ a: t.string }) })])])",
    ],
  ])('compiles the codec of a route in `%s`', line => {
    const imports = "import { byType, get, group } from '@signalbox/load-balancer'\n"
    const { code, left } = compileModule('/a.ts', head + imports + line)!
    expect(left).toEqual([])
    expect(code).toContain('$ready0: Object.assign($ready0, { _tag: "InterfaceType" })')
    expect(code).toMatch(/: \$ready0\b(?!.*Object)/)
  })

  it.each([
    ["post('/', { body: Order })", "post('/', { body: $ready0 })"],
    ["post('/', { body: Order, 'describe': {}, bodyLimit: 1 })", "{ body: $ready0, 'describe': {}"],
    ['queue({ body: Order, onMessage })', '{ body: $ready0, onMessage }'],
    ['queue({ body: fromJson(Order), onMessage })', '{ body: fromJson($ready0), onMessage }'],
    ['queue({ body: t.string, onMessage })', '{ body: $ready0, onMessage }'],
  ])('compiles the codecs of bodies: %s', (call, expected) => {
    const { code } = compileModule(
      '/a.ts',
      `${head}import { fromJson } from '@signalbox/codec'\nconst Order = t.type({ a: t.string })\n${call}`,
    )!
    expect(code).toContain(expected)
  })

  it.each([
    ['of a parameter', 'function make(store = memoryStore()) {'],
    ['in the pattern of a parameter', 'function make({ store = memoryStore() } = {}) {'],
    ['in a list', 'function make([store = memoryStore(), ...rest]) {'],
    ['of a variable', 'function make(options) { const { store = memoryStore() } = options;'],
    ['that is a function', 'function make(open = () => memoryStore()) {'],
    ['beside a computed name', 'function make({ [memoryStore.name]: store }) {'],
  ])('does not take a name in a default value %s for a second declaration', (_, declaration) => {
    const imports = "import { memoryStore } from '@signalbox/core'\n"
    const { code, left } = compileModule(
      '/a.ts',
      `${head}${imports}${declaration} return queue({ body: t.string, onMessage }) }`,
    )!
    expect(left).toEqual([])
    expect(code).toContain('body: $ready().$ready0')
  })

  it.each([
    ['of a parameter', 'function make(memoryStore = 1) {}'],
    ['in the pattern of a parameter', 'function make({ store: memoryStore = 1 }) {}'],
    ['of a function in a default value', 'function make(open = (memoryStore: unknown) => 1) {}'],
  ])('takes the name %s for a second declaration', (_, declaration) => {
    const imports = "import { memoryStore } from '@signalbox/core'\n"
    const { left } = compileModule('/a.ts', `${head}${imports}${declaration}\nqueue({ body: t.string })`)!
    expect(left).toMatchObject([{ sentence: expect.stringContaining('memoryStore has two meanings') }])
  })

  it('keeps the name of a property that has the name of its codec', () => {
    const code = `${head}const body = t.type({ a: t.string })\npost('/', { body })`
    expect(compileModule('/a.ts', code)!.code).toContain("post('/', { body: $ready0 })")
    const early = compileModule('/a.ts', `${code}\nexport function a() {}`)!
    expect(early.code).toContain("post('/', { body: $ready().$ready0 })")
  })

  it('keeps codecs that are passed to functions of other packages', () => {
    const { code } = compileModule(
      '/a.ts',
      `${head}const A = t.type({ a: t.string })\nexport const B = other(A, A.props)`,
    )!
    expect(code).toContain('other(A, A.props)')
  })
})
