import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { configProblems } from '../testing/whole-program.ts'

const handler = () => null
const good = {
  functions: {
    shop: {
      module: './shop.ts',
      export: 'shop',
      timeout: 2,
      instances: 2,
      wait: 0,
      memory: 64,
      env: { A: '1' },
    },
    test: { handler, dialect: { event: (e: unknown) => e, result: (a: unknown) => a } },
  },
  loadBalancers: {
    web: {
      port: 3000,
      host: '0.0.0.0',
      function: 'shop',
      multiValueHeaders: true,
      healthCheck: { path: '/' },
    },
    'web-2': { port: 0, function: 'test', targetGroupArn: 'arn' },
    web_3: { port: 0, function: 'test' },
  },
  dataDir: './data',
  invocationLog: { age: 1, size: 2 },
  grace: 0,
  watch: ['../packages'],
}

const lines = (config: unknown) =>
  configProblems(config).map(({ pointer, expected, actual }) => `${pointer}: ${expected}; ${actual}`)

describe('configProblems', () => {
  it('finds no problem in a good configuration', () => {
    expect(configProblems(good)).toEqual([])
    expect(configProblems({ functions: {} })).toEqual([])
  })

  it('lists all problems at once', () => {
    expect(
      lines({
        ...good,
        functons: {},
        functions: {
          ...good.functions,
          'a/b': { module: '' },
          both: { module: 'a', handler },
          none: {},
          odd: 7,
        },
        loadBalancers: {
          web: { port: '80', function: 'shoop', multivalueHeaders: true },
          api: { function: 'test' },
        },
        grace: -1,
        invocationLog: { age: 0, sise: 1 },
      }),
    ).toEqual([
      '/grace: seconds from 0 to 900; number -1',
      '/functons: the name functions; an unknown name',
      '/functions/a~1b: a name of letters, digits, - and _, 64 at most; "a/b"',
      "/functions/a~1b/module: a text that is not empty; string ''",
      '/functions/both: a module or a handler, and not both; both',
      '/functions/none: a module or a handler, and not both; neither',
      '/functions/odd: an object; a number',
      "/loadBalancers/web/port: an integer from 0 to 65535; string '80'",
      '/loadBalancers/web/multivalueHeaders: the name multiValueHeaders; an unknown name',
      '/loadBalancers/web/function: shop; "shoop", which is not a function of this configuration',
      '/loadBalancers/api/port: an integer from 0 to 65535; nothing',
      '/invocationLog/age: days from 0.001 to 3650; number 0',
      '/invocationLog/sise: the name size; an unknown name',
    ])
  })

  it.each<[string, unknown, string]>([
    ['no configuration', undefined, ': an object; nothing'],
    ['a list', [], ': an object; a list'],
    ['no functions', {}, '/functions: an object; nothing'],
    ['a list of functions', { functions: [] }, '/functions: an object; an array of 0'],
    [
      'names that leave the data directory',
      { functions: { '../../etc': { handler } } },
      '/functions/..~1..~1etc: a name of letters, digits, - and _, 64 at most; "../../etc"',
    ],
    [
      'a name that is a prototype',
      { functions: JSON.parse('{"__proto__": {}}') },
      '/functions/__proto__: a name of letters, digits, - and _, 64 at most; "__proto__"',
    ],
    [
      'a function whose name is only an inherited property',
      { functions: {}, loadBalancers: { web: { port: 1, function: 'toString' } } },
      '/loadBalancers/web/function: a function, but the configuration has none; "toString", which is not a function of this configuration',
    ],
    [
      'two listeners on one port',
      { ...good, loadBalancers: { a: { port: 1, function: 'shop' }, b: { port: 1, function: 'shop' } } },
      '/loadBalancers/b/port: a port of its own, since a has this one; 1',
    ],
    [
      'a health check of nonsense',
      {
        ...good,
        loadBalancers: { a: { port: 1, function: 'shop', healthCheck: { path: 'x', intervall: 1 } } },
      },
      '/loadBalancers/a/healthCheck/intervall: the name interval; an unknown name',
    ],
    [
      'a dialect that is half of one',
      { functions: { a: { handler, dialect: { event: handler } } } },
      '/functions/a/dialect: aws, or a dialect: { event, result }, both functions; an object',
    ],
  ])('reports %s', (_case, config, line) => {
    expect(lines(config)).toContain(line)
  })

  it('never throws for any configuration', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.record({ functions: fc.anything(), loadBalancers: fc.dictionary(fc.string(), fc.anything()) }),
        ),
        config => Array.isArray(configProblems(config)),
      ),
      { numRuns: 500 },
    )
  })
})
