import { describe, expect, it } from '@jest/globals'
import { readDocument } from './read-document.ts'

const problemOf = (text: string) => {
  try {
    readDocument(text)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('The text is a document.')
}

describe('a document', () => {
  it.each([
    ['!Ref Queue', { Ref: 'Queue' }],
    ['!GetAtt Queue.Arn', { 'Fn::GetAtt': ['Queue', 'Arn'] }],
    ['!GetAtt Nested.Outputs.Arn', { 'Fn::GetAtt': ['Nested', 'Outputs.Arn'] }],
    ['!GetAtt [Queue, Arn]', { 'Fn::GetAtt': ['Queue', 'Arn'] }],
    ['!Sub "${A}-b"', { 'Fn::Sub': '${A}-b' }],
    ['!Sub ["${a}", {a: !Ref B}]', { 'Fn::Sub': ['${a}', { a: { Ref: 'B' } }] }],
    [
      '!If [isProd, !Ref A, !Ref "AWS::NoValue"]',
      { 'Fn::If': ['isProd', { Ref: 'A' }, { Ref: 'AWS::NoValue' }] },
    ],
    ['!Condition isProd', { Condition: 'isProd' }],
    ['!Join [",", [a, 1]]', { 'Fn::Join': [',', ['a', 1]] }],
  ])('has the long form of %s', (short, long) => {
    expect(readDocument(`a: ${short}`)).toEqual({ a: long })
    expect(readDocument(JSON.stringify({ a: long }))).toEqual({ a: long })
  })

  it('keeps dates and account ids as texts', () => {
    const text = 'Version: 2012-10-17\nfrom: 012345678901\nsize: 10\nother: "20"\non: yes\n'
    expect(readDocument(text)).toEqual({
      Version: '2012-10-17',
      from: '012345678901',
      size: 10,
      other: '20',
      on: 'yes',
    })
  })

  it('may have many texts with wildcards', () => {
    const actions = Array.from({ length: 1500 }, (_, at) => `- 's3:*'\n- arn:aws:logs:*:*:group-${at}\n`)
    expect(readDocument(`a:\n${actions.join('')}`)).toHaveProperty('a.length', 3000)
  })

  it('replaces aliases and merge keys, and its own keys win', () => {
    const text = 'a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {y: 3, <<: [*a, *b]}\nd: *a\n'
    expect(readDocument(text)).toMatchObject({ c: { x: 1, y: 3, z: 2 }, d: { x: 1, y: 1 } })
  })

  it('takes the last value before an alias that has its anchor', () => {
    expect(readDocument('a: &x 1\nb: *x\nc: &x 2\nd: [*x, &x 3, *x]\n*x : 5')).toEqual({
      ...{ a: 1, b: 1, c: 2 },
      d: [2, 3, 3],
      3: 5,
    })
    expect(readDocument('&x key: 1\nb: *x')).toEqual({ key: 1, b: 'key' })
  })

  it('keeps a key that is called __proto__', () => {
    const found = readDocument('{"__proto__": {"a": 1}}') as object
    expect(Object.keys(found)).toEqual(['__proto__'])
    expect(Object.keys(readDocument('__proto__: {a: 1}') as object)).toEqual(['__proto__'])
  })

  it.each([
    ['a tag that does not exist', 'a: {b: !Reff Q}', '/a/b: expected an intrinsic function, got !Reff'],
    ['a key twice', 'a: 1\nb: {c: 1, c: 2}', '/b/c: expected each key once, got one twice'],
    ['two documents', '---\na: 1\n---\nb: 1\n', 'expected YAML or JSON, got line 3'],
    ['a broken line', 'a: [1\nb: 2\n', 'expected YAML or JSON, got line '],
  ])('has an error with its place for %s', (_what, text, message) => {
    expect(problemOf(text)).toContain(message)
  })

  it.each([
    ['too many bytes', 'x'.repeat(1024 * 1024 + 1), 'at most 1048576 bytes'],
    ['brackets in brackets', '['.repeat(1_000_000), 'collections in at most 100 collections'],
    ['dashes in one line', '- '.repeat(500_000), 'collections in at most 100 collections'],
    [
      'a line in a line',
      Array.from({ length: 1000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
      'collections in',
    ],
    ['JSON in JSON', `{"a":${'['.repeat(101)}${']'.repeat(101)}}`, 'collections in at most 100 collections'],
    ['dashes in many lines', `${'- '.repeat(24)}x\n`.repeat(5_000), 'at most 100000 values'],
    ['commas in brackets', `- [${'x,'.repeat(4_000)}x]\n`.repeat(100), 'at most 100000 values'],
    ['aliases', `a: &a x\nb:\n${'- *a\n'.repeat(1_001)}`, 'at most 1000 aliases'],
    ['an alias in itself', 'a: &a [*a]', '/a/0: expected an alias outside of its own value, got *a'],
    ['aliases in a circle', 'a: &a [*b]\nb: &b [*a]\n', '/a/0: expected &b before this alias, got *b'],
    [
      'aliases in collections in collections',
      ['a0: &a0 x', ...Array.from({ length: 101 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}]`)].join(
        '\n',
      ),
      '/a100: expected collections in at most 100 collections',
    ],
    [
      'merge keys of merge keys',
      [
        'a0: &a0 {k: 1}',
        ...Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} {<<: [*a${at}, *a${at}]}`),
      ].join('\n'),
      'at most 100000 values',
    ],
    [
      'aliases of a long list',
      `a: &a [${'x,'.repeat(999)}x]\nb:\n${'  - *a\n'.repeat(100)}`,
      '/b/99: expected at most 100000 values',
    ],
    ['quotes in one line', '"'.repeat(500_000), 'lines of at most 10000 characters'],
    ['lines', 'a: 1\n'.repeat(60_000), 'at most 50000 lines'],
    [
      'aliases of aliases',
      [
        'a: &a [x,x,x,x,x,x,x,x,x,x]',
        ...Array.from('bcdefg', (name, at) => `${name}: &${name} [${Array(10).fill(`*${'abcdef'[at]}`)}]`),
      ].join('\n'),
      'at most 100000 values',
    ],
  ])('is refused for %s', (_what, text, message) => {
    expect(problemOf(text)).toContain(message)
  })
})
