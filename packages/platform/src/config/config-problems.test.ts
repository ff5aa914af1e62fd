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
    far: {
      url: 'https://fn.example/run?key=1',
      secret: { env: 'SECRET' },
      headers: { 'x-key': 'k' },
      instances: 50,
    },
    provided: { lambda: { functionName: 'ship', region: 'eu-central-1', qualifier: 'live' }, dialect: 'aws' },
  },
  loadBalancers: {
    web: {
      port: 3000,
      host: '0.0.0.0',
      open: true,
      function: 'shop',
      multiValueHeaders: true,
      healthCheck: { path: '/' },
    },
    'web-2': {
      port: 0,
      function: 'test',
      targetGroupArn: 'arn:cloud:balancer:region-1:1:targetgroup/shop/7',
    },
    web_3: { port: 0, function: 'test' },
  },
  dataDir: './data',
  invocationLog: { age: 1, size: 2 },
  grace: 0,
  drain: 5,
  watch: ['../packages'],
}

const lines = (config: unknown) =>
  configProblems(config).map(({ pointer, expected, actual }) => `${pointer}: ${expected}; ${actual}`)

describe('configProblems', () => {
  it('finds no problem in a valid configuration', () => {
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
      '/functions/both: one of module, command, handler, url and lambda; module and handler',
      '/functions/none: one of module, command, handler, url and lambda; nothing',
      '/functions/odd: an object; a number',
      "/loadBalancers/web/port: an integer from 0 to 65535; string '80'",
      '/loadBalancers/web/multivalueHeaders: the name multiValueHeaders; an unknown name',
      '/loadBalancers/web/function: shop; "shoop", which is not a function of this configuration',
      '/loadBalancers/api/port: an integer from 0 to 65535; nothing',
      '/invocationLog/age: days from 0.001 to 3650; number 0',
      '/invocationLog/sise: the name size; an unknown name',
    ])
  })

  it('lists all problems of functions on other hosts at once, and shows no secrets', () => {
    const functions = {
      a: { url: 'https://u:hidden@fn.example/', secret: 7, headers: { host: 'x', 'a b': 'x', key: 7 } },
      b: { url: 'ftp://fn.example/?hidden', memory: 64 },
      c: {
        url: 'hidden',
        lambda: { functionName: 'a b?', regoin: 'x', accessKeyId: 'x', endpoint: 'hidden' },
      },
      d: { module: './d.ts', secret: 'hidden', headers: 'hidden' },
      e: { lambda: { functionName: 'f', region: 'r', secretAccessKey: 7 }, env: {}, export: 'x' },
    }
    const found = lines({ functions })
    expect(found).toEqual([
      '/functions/a/url: a URL without user and password, which belong into headers; both',
      '/functions/a/secret: a text, { env: NAME } or { file: PATH }; a number',
      '/functions/a/headers/host: a header that calls do not have themselves; host',
      '/functions/a/headers/a b: the name of a header; another text',
      '/functions/a/headers/key: a text, { env: NAME } or { file: PATH }; a number',
      '/functions/b/memory: nothing without module or command; a number',
      '/functions/b/url: an http or https URL; one of ftp:',
      '/functions/c: one of module, command, handler, url and lambda; url and lambda',
      '/functions/c/url: an http or https URL; another text',
      "/functions/c/lambda/functionName: the name of a function; string 'a b?'",
      '/functions/c/lambda/region: a text that is not empty; nothing',
      '/functions/c/lambda/regoin: the name region; an unknown name',
      '/functions/c/lambda/endpoint: an http or https URL; another text',
      '/functions/c/lambda: both accessKeyId and secretAccessKey, or neither; accessKeyId',
      '/functions/d/secret: nothing without url; a string',
      '/functions/d/headers: nothing without url; a string',
      '/functions/d/headers: an object; a string',
      '/functions/e/export: nothing without module or command; a string',
      '/functions/e/env: nothing without module or command; an object',
      '/functions/e/lambda/secretAccessKey: a text, { env: NAME } or { file: PATH }; a number',
      '/functions/e/lambda: both accessKeyId and secretAccessKey, or neither; secretAccessKey',
    ])
    expect(found.join()).not.toContain('hidden')
  })

  it('refuses environment variables that no process can have, and shows none of their values', () => {
    const found = lines({
      functions: { a: { module: './a.ts', env: { GOOD: 'x=y', 'A=B': 'x', '': 'x', BAD: 'hid\0den' } } },
    })
    expect(found).toEqual([
      '/functions/a/env/A=B: the name of an environment variable; another text',
      '/functions/a/env/: the name of an environment variable; another text',
      '/functions/a/env/BAD: a text without null characters; another text',
    ])
  })

  it.each<[string, unknown, string]>([
    ['a missing configuration', undefined, ': an object; nothing'],
    ['a list instead of a configuration', [], ': an object; a list'],
    ['a configuration without functions', {}, '/functions: an object; nothing'],
    ['an array as the setting "functions"', { functions: [] }, '/functions: an object; an array of 0'],
    [
      'a function name that leaves the data directory',
      { functions: { '../../etc': { handler } } },
      '/functions/..~1..~1etc: a name of letters, digits, - and _, 64 at most; "../../etc"',
    ],
    [
      'a function name that is __proto__',
      { functions: JSON.parse('{"__proto__": {}}') },
      '/functions/__proto__: a name of letters, digits, - and _, 64 at most; "__proto__"',
    ],
    [
      'a function name that is only an inherited property',
      { functions: {}, loadBalancers: { web: { port: 1, function: 'toString' } } },
      '/loadBalancers/web/function: a function, but the configuration has none; "toString", which is not a function of this configuration',
    ],
    [
      'two listeners on one port',
      { ...good, loadBalancers: { a: { port: 1, function: 'shop' }, b: { port: 1, function: 'shop' } } },
      '/loadBalancers/b/port: a port of its own, since a has this one; 1',
    ],
    [
      'a targetGroupArn that is not the ARN of a target group',
      {
        ...good,
        loadBalancers: { a: { port: 1, function: 'shop', targetGroupArn: 'arn:cloud:lb:x:1:lb/a' } },
      },
      "/loadBalancers/a/targetGroupArn: the ARN of a target group, such as arn:cloud:balancer:region-1:1:targetgroup/shop/7; string 'arn:cloud:lb:x:1:lb/a'",
    ],
    [
      'an unknown key of a health check',
      {
        ...good,
        loadBalancers: { a: { port: 1, function: 'shop', healthCheck: { path: 'x', intervall: 1 } } },
      },
      '/loadBalancers/a/healthCheck/intervall: the name interval; an unknown name',
    ],
    [
      'a dialect without its function "result"',
      { functions: { a: { handler, dialect: { event: handler } } } },
      '/functions/a/dialect: aws, or a dialect: { event, result }, both functions; an object',
    ],
  ])('reports %s', (_case, config, line) => {
    expect(lines(config)).toContain(line)
  })

  it('never throws, whatever the configuration contains', () => {
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

it('a durable function is refused where nobody can wait for its executions', () => {
  const functions = { order: { handler, durable: { timeout: 60 } } }
  const found = configProblems({
    functions,
    invoke: { port: 0 },
    userPools: {
      staff: {
        clients: { web: {} },
        triggers: { PreSignUp: 'order', PostConfirmation: { function: 'order' } },
      },
      guests: { clients: { web: {} }, triggers: { function: 'order', routes: ['PreSignUp'] } },
    },
    mail: {
      domains: { 'office.example': { to: 'mailboxes' } },
      rules: [
        { direction: 'INBOUND', function: 'order', senders: ['<>'] },
        { direction: 'INBOUND', function: 'order', mode: 'async' },
      ],
    },
    loadBalancers: { web: { port: 0, function: 'order', healthCheck: { path: '/' } } },
  })
  const expected = (why: string) => `a function that is not durable: ${why}`
  const actual = '"order", which is durable'
  const places = [
    'staff/triggers/PreSignUp',
    'staff/triggers/PostConfirmation/function',
    'guests/triggers/function',
  ]
  expect(found).toEqual([
    ...places.map(place => ({
      pointer: `/userPools/${place}`,
      expected: expected('a trigger has five seconds'),
      actual,
    })),
    {
      pointer: '/loadBalancers/web/function',
      expected: expected('each health check would be an execution'),
      actual,
    },
    {
      pointer: '/mail/rules/0/function',
      expected: expected(
        "a mail waits 15 seconds for a decision. With mode: 'async', a mail starts an execution",
      ),
      actual,
    },
  ])
})
