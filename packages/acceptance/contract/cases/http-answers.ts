import assert from 'node:assert/strict'
import { httpVerdict } from '@signalbox/load-balancer/contract'
import { exchange, httpEvent } from '@signalbox/load-balancer/testing'
import { breaks, type ContractCase, keeps } from '../contract-case.ts'
import { answers, ask, isMalformed, ok } from './http-sides.ts'

/** Returns the cases for what an answer becomes. */
export function answerRules(): readonly ContractCase[] {
  return [...verdictRules(), ...mapRules(), ...headerRules()]
}

function verdictRules(): readonly ContractCase[] {
  const broken = isMalformed({ ...ok, statusCode: 99 }, /\/statusCode/)
  const plain = answers(
    { ...ok, headers: { 'x-a': '1' }, body: 'hello' },
    { status: 200, lines: [['x-a', '1']], body: 'hello' },
  )
  const both = { ...ok, headers: { link: '<a>' }, multiValueHeaders: { link: ['<b>', '<c>'] } }
  const inBoth = (multiValue: boolean, lines: readonly (readonly [string, string])[]) =>
    answers(both, { status: 200, lines }, { multiValue })
  const bytes = { ...ok, isBase64Encoded: true, body: 'aGVsbG8=' }
  const withBody = { ...ok, body: 'hello' }
  const throwing = () => {
    throw new Error('broken')
  }
  const otherMap = { ...ok, multiValueHeaders: { link: ['<a>'] } }
  const cookies = { ...ok, cookies: ['a=1'] }
  const verdictOf = (answer: object) => httpVerdict(JSON.stringify(answer), httpEvent('GET', '/')).kind
  return [
    keeps('verdict.answered', 'a response that keeps the tables', plain),
    breaks('verdict.answered', 'a response that does not', broken),
    keeps('verdict.malformed', 'a status out of range', broken),
    breaks('verdict.malformed', 'a status in range', plain),
    keeps('verdict.both-header-maps', 'in single-value mode', inBoth(false, [['link', '<a>']])),
    keeps(
      'verdict.both-header-maps',
      'in multi-value mode',
      inBoth(true, [
        ['link', '<b>'],
        ['link', '<c>'],
      ]),
    ),
    breaks(
      'verdict.both-header-maps',
      'the map of the mode alone',
      answers({ ...ok, headers: { link: '<a>' } }, { status: 200, lines: [['link', '<a>']] }),
    ),
    // The plugin's serializer writes the map of the mode, so only a function without the plugin can answer like this.
    keeps('verdict.other-header-map', 'the map of multi-value mode alone', {
      function: () => assert.equal(verdictOf(otherMap), 'malformed'),
      platform: async () => assert.equal((await ask(() => otherMap)).response.status, 502),
    }),
    breaks('verdict.other-header-map', 'the map of the mode', plain),
    keeps('verdict.cookies', 'a list of cookies', {
      function: () => assert.equal(verdictOf(cookies), 'malformed'),
      platform: async () => assert.equal((await ask(() => cookies)).response.status, 502),
    }),
    breaks('verdict.cookies', 'an empty list of cookies', answers({ ...ok, cookies: [] }, { status: 200 })),
    // These functions have no plugin, because the plugin would answer with a 500.
    keeps('verdict.failed-invocation', 'a function that fails', {
      function: async () => assert.equal((await exchange(throwing, httpEvent('GET', '/'))).status, 502),
      platform: async () => assert.equal((await ask(throwing)).response.status, 502),
    }),
    breaks('verdict.failed-invocation', 'a function that answers', plain),
    keeps('verdict.base64', 'a body that is not Base64', {
      // The plugin's serializer encodes the body itself, so only a function without the plugin can return a wrong
      // body.
      function: () =>
        assert.equal(
          httpVerdict(JSON.stringify({ ...bytes, body: '*' }), httpEvent('GET', '/')).kind,
          'malformed',
        ),
      platform: async () => assert.equal((await ask({ ...bytes, body: '*' })).response.status, 502),
    }),
    breaks('verdict.base64', 'one that is', answers(bytes, { status: 200, body: 'hello' })),
    ...[204, 205, 304].map(statusCode =>
      keeps(
        'verdict.no-content',
        `a body with ${statusCode}`,
        answers({ ...withBody, statusCode }, { status: statusCode }),
      ),
    ),
    keeps('verdict.no-content', 'a body for HEAD', answers(withBody, { status: 200 }, { method: 'HEAD' })),
    breaks('verdict.no-content', 'a body with 200', answers(withBody, { status: 200, body: 'hello' })),
  ]
}

function mapRules(): readonly ContractCase[] {
  const listed = { ...ok, multiValueHeaders: { 'x-a': ['1', '2'] } }
  return [
    keeps(
      'verdict.multi-value-headers',
      'an answer with the map',
      answers(
        listed,
        {
          status: 200,
          lines: [
            ['x-a', '1'],
            ['x-a', '2'],
          ],
        },
        { multiValue: true },
      ),
    ),
    breaks('verdict.multi-value-headers', 'an answer without it', {
      // The plugin's serializer always writes this map, so only a function without the plugin can leave it out.
      function: () =>
        assert.equal(
          httpVerdict(JSON.stringify({ ...ok, headers: {} }), httpEvent('GET', '/', { multiValue: true }))
            .kind,
          'malformed',
        ),
      platform: async () =>
        assert.equal((await ask({ ...ok, headers: {} }, { multiValue: true })).response.status, 502),
    }),
  ]
}

function headerRules(): readonly ContractCase[] {
  const withHeader = (name: string, value: string) => ({ ...ok, headers: { [name]: value } })
  const unwritable: readonly (readonly [string, string])[] = [
    ['x a', '1'],
    ['', '1'],
    ['x-a', '1\r\nset-cookie: a=1'],
    ['x-a', '\u0000'],
    ['x-a', '✓'],
  ]
  const other = answers(withHeader('x-a', '1'), { status: 200, lines: [['x-a', '1']] })
  return [
    ...unwritable.map(([name, value]) =>
      keeps(
        'verdict.header-names',
        JSON.stringify([name, value]),
        isMalformed(withHeader(name, value), /\/headers/),
      ),
    ),
    breaks('verdict.header-names', 'a name and a value that HTTP can carry', other),
    ...['connection', 'transfer-encoding', 'upgrade', 'Keep-Alive'].map(name =>
      keeps('verdict.hop-by-hop', name, answers(withHeader(name, 'x'), { status: 200 })),
    ),
    keeps(
      'verdict.hop-by-hop',
      'a header that connection lists',
      answers({ ...ok, headers: { connection: 'x-a', 'x-a': '1' } }, { status: 200 }),
    ),
    breaks('verdict.hop-by-hop', 'another header', other),
  ]
}
