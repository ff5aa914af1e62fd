import { describe, expect, it } from '@jest/globals'
import { queueEvent } from '@signalbox/queue/testing'
import fc from 'fast-check'
import type { FilterPattern } from './filter-pattern.ts'
import { filterProblems } from './filter-problems.ts'
import { recordFilter } from './record-filter.ts'

const [sample] = queueEvent({ bodies: [''] }).Records
const record = (body: unknown, more: object = {}) => ({
  ...sample!,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
})
const matches = (pattern: unknown, body: unknown, more: object = {}) => {
  expect(filterProblems(pattern, '')).toEqual([])
  return recordFilter([pattern as FilterPattern])(record(body, more))
}
/** Returns whether a body matches a pattern with these rules for its field `a`. */
const field = (rules: unknown, body: unknown) => matches({ body: { a: rules } }, body)

describe('filter rules for a field', () => {
  it.each<[unknown[], unknown[], unknown[]]>([
    [['x'], ['x', ['y', 'x']], ['X', 'xx', '', 1, null, [], { x: 1 }]],
    [[''], [''], [' ', null, 0]],
    [[5], [5, 5.0, [4, 5]], ['5', 6, null]],
    [[null], [null], ['', 0, 'null', false]],
    [
      [true, false],
      [true, false],
      ['true', 1, null],
    ],
    [[{ prefix: 'ab' }], ['ab', 'abc'], ['a', 'cab', 'AB', 1]],
    [[{ suffix: '.png' }], ['.png', 'a.png'], ['a.PNG', 'png', 1]],
    [[{ prefix: { 'equals-ignore-case': 'aB' } }], ['ABc', 'abc'], ['cab']],
    [[{ suffix: { 'equals-ignore-case': '.png' } }], ['A.PNG'], ['png']],
    [[{ 'equals-ignore-case': 'Ada' }], ['ada', 'ADA'], ['adaa', 1]],
    [[{ 'anything-but': 'x' }], ['y', 1, null, ['x', 'y']], ['x', ['x']]],
    [[{ 'anything-but': ['x', '5'] }], [5, 'y'], ['x', '5']],
    [[{ 'anything-but': [5, 6] }], ['5', 7], [5, 6]],
    [[{ 'anything-but': { prefix: ['x', 'y'] } }], ['zx', ''], ['x', 'yx']],
    [[{ 'anything-but': { suffix: ['x', 'y'] } }], ['xz'], ['zx', 'y']],
    [[{ 'anything-but': { 'equals-ignore-case': ['x', 'y'] } }], ['z'], ['X', 'y']],
    [[{ 'anything-but': { wildcard: ['x*', '*y'] } }], ['zxz'], ['x', 'xz', 'zy']],
    [[{ wildcard: 'a*b*c' }], ['abc', 'a-b-c', 'abbcc'], ['ab', 'abcd', 'bac', 'acb', 1, null]],
    [[{ wildcard: '*.png' }], ['.png', 'a.png'], ['a.PNG', 'png']],
    [[{ wildcard: 'a\\*\\\\*' }], ['a*\\', 'a*\\x'], ['ax\\', 'a*']],
    [[{ wildcard: 'aba*aba' }], ['abaaba', 'aba-aba'], ['aba', 'ababa']],
    [[{ wildcard: 'plain' }], ['plain'], ['plains']],
    [[{ 'anything-but': { prefix: 'x' } }], ['y', ''], ['x', 'xy']],
    [[{ 'anything-but': { suffix: 'x' } }], ['xy'], ['yx']],
    [[{ 'anything-but': { 'equals-ignore-case': 'x' } }], ['y'], ['X']],
    [[{ numeric: ['>', 0, '<=', 5] }], [1, 5, 0.1], [0, 5.1, '1', null]],
    [[{ numeric: ['=', 3.0] }], [3], [3.1, '3']],
    [[{ numeric: ['<', -1] }], [-2], [-1]],
    [[{ numeric: ['>=', 1e3] }], [1000], [999]],
    [[{ cidr: '10.0.0.0/24' }], ['10.0.0.255'], ['10.0.1.0', 'x', '::1', 1]],
    [[{ cidr: '2001:db8::/32' }], ['2001:db8::1'], ['2001:db9::1', '10.0.0.1']],
    [[{ exists: true }], ['x', null, 0, ['x']], [{ b: 1 }, []]],
    [[{ exists: false }], [{ b: 1 }, []], ['x', null]],
    [['x', { prefix: 'y' }], ['x', 'yy'], ['z']],
  ])('such as %j match only the expected values', (rules, right, wrong) => {
    for (const a of right) expect([a, field(rules, { a })]).toEqual([a, true])
    for (const a of wrong) expect([a, field(rules, { a })]).toEqual([a, false])
  })

  it.each([
    [[{ exists: false }], 'match'],
    [['x', { exists: false }], 'match'],
    [[{ exists: true }], 'do not match'],
    [[null], 'do not match'],
    [[{ 'anything-but': 'x' }], 'do not match'],
  ])('such as %j %s a missing field', (rules, verb) => {
    expect(field(rules, {})).toBe(verb === 'match')
  })

  it('ignore properties of Object.prototype', () => {
    expect(matches({ body: { constructor: [{ exists: true }] } }, {})).toBe(false)
    expect(matches(JSON.parse('{"body":{"__proto__":["x"]}}'), '{"__proto__":"x"}')).toBe(true)
  })
})

describe('a filter pattern', () => {
  it('matches if each of its fields matches', () => {
    const pattern = { body: { a: ['x'], b: { c: [1] } } }
    expect(matches(pattern, { a: 'x', b: { c: 1 }, d: 2 })).toBe(true)
    expect(matches(pattern, { a: 'x', b: { c: 2 } })).toBe(false)
    expect(matches(pattern, { a: 'x' })).toBe(false)
  })

  it('matches if one pattern of $or and all other fields match, at any level', () => {
    const pattern = { body: { a: ['x'], $or: [{ b: [1] }, { c: { $or: [{ d: [2] }, { d: [3] }] } }] } }
    expect(matches(pattern, { a: 'x', b: 1 })).toBe(true)
    expect(matches(pattern, { a: 'x', c: { d: 3 } })).toBe(true)
    expect(matches(pattern, { a: 'x', c: { d: 4 } })).toBe(false)
    expect(matches(pattern, { a: 'y', b: 1 })).toBe(false)
    const top = { $or: [{ body: ['plain'] }, { messageAttributes: { n: { stringValue: ['1'] } } }] }
    expect(matches(top, 'plain')).toBe(true)
    expect(
      matches(top, { a: 1 }, { messageAttributes: { n: { dataType: 'Number', stringValue: '1' } } }),
    ).toBe(true)
    expect(matches(top, { a: 1 })).toBe(false)
  })

  it('matches a list if one element matches all fields of the pattern', () => {
    const pattern = { body: { items: { sku: ['x'], count: [2] } } }
    expect(matches(pattern, { items: [{ sku: 'y' }, { sku: 'x', count: 2 }] })).toBe(true)
    expect(matches(pattern, { items: [{ sku: 'x', count: 1 }, { count: 2 }] })).toBe(false)
  })

  it('has names with dots for nested fields, which matched nothing', () => {
    const pattern = { body: { 'order.state': ['paid'], 'order.items.sku': [{ prefix: 'a' }] } }
    expect(matches(pattern, { order: { state: 'paid', items: [{ sku: 'b' }, { sku: 'a1' }] } })).toBe(true)
    expect(matches(pattern, { order: { state: 'open', items: [{ sku: 'a1' }] } })).toBe(false)
    expect(matches({ body: { 'a.b': ['x'] } }, { 'a.b': 'x', a: { b: 'y' } })).toBe(true)
    expect(matches({ body: { 'a.b': [{ exists: false }] } }, { a: { b: 'y' } })).toBe(false)
    expect(matches({ 'body.order.state': ['paid'] }, { order: { state: 'paid' } })).toBe(true)
    const ofText = { 'attributes.SenderId': [sample!.attributes.SenderId] }
    expect(matches(ofText, 'plain')).toBe(true)
  })

  it('can contain rules for fields of the record itself, such as messageId', () => {
    expect(matches({ attributes: { SenderId: [sample!.attributes.SenderId] } }, 'plain')).toBe(true)
    expect(matches({ messageId: [{ 'anything-but': sample!.messageId }] }, 'plain')).toBe(false)
  })

  it('matches even if the other patterns in its list do not match', () => {
    const filter = recordFilter([{ body: ['x'] }, { body: ['y'] }])
    expect(['x', 'y', 'z'].map(body => filter(record(body)))).toEqual([true, true, false])
  })
})

describe('a filter for the body', () => {
  it.each([
    ['with text rules matches a body with exactly that text', ['hello'], 'hello', true],
    ['with text rules does not match a body with other text', ['hello'], 'hallo', false],
    ['with field rules does not match plain text', { a: [{ exists: false }] }, 'hello', false],
    ['with text rules does not match JSON', [{ exists: true }], '{"a":1}', false],
    ['with field rules matches JSON', { a: [1] }, ' {"a":1}', true],
    ['with field rules does not match broken JSON', { a: [1] }, '{"a":1', false],
    ['with text rules matches broken JSON', [{ prefix: '{' }], '{"a":1', true],
    ['with field rules matches a list of objects', { a: [1] }, '[{"a":2},{"a":1}]', true],
    ['with text rules matches a number', ['7'], '7', true],
  ])('%s', (_, body, text, expected) => {
    expect(matches({ body }, text)).toBe(expected)
  })

  it.each([
    ['lists', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('accepts %s of any nesting depth in the body', (_, nested) => {
    expect(field(['x'], `{"a":${nested}}`)).toBe(false)
    expect(matches({ body: { a: { a: ['x'] } } }, `{"a":${nested}}`)).toBe(false)
  })
})

describe('filterProblems()', () => {
  it.each([
    [7, '', 'a pattern: fields, and for each a list of rules'],
    [[], '', 'at least one pattern'],
    [{ body: 'x' }, '/body', 'a pattern: fields, and for each a list of rules'],
    [{ body: { a: [] } }, '/body/a', 'at least one'],
    [{ body: { 'a/b': [{ like: 'x' }] } }, '/body/a~1b/0', 'a value, or an object with one of'],
    [{ body: { a: [{ prefix: 'x', suffix: 'y' }] } }, '/body/a/0', 'a value, or an object with one of'],
    [{ body: { a: [['x']] } }, '/body/a/0', 'a value, or an object with one of'],
    [{ body: { a: ['x', { prefix: 1 }] } }, '/body/a/1/prefix', 'a text that is not empty, or'],
    [{ body: { a: [{ exists: 'yes' }] } }, '/body/a/0/exists', 'true or false'],
    [{ body: { a: [{ numeric: ['>'] }] } }, '/body/a/0/numeric', 'one comparison'],
    [{ body: { a: [{ numeric: ['~', 1] }] } }, '/body/a/0/numeric', 'one comparison'],
    [{ body: { a: [{ numeric: ['constructor', 1] }] } }, '/body/a/0/numeric', 'one comparison'],
    [{ body: { a: [{ cidr: '10.0.0.0/33' }] } }, '/body/a/0/cidr', 'a network'],
    [
      { body: { a: [{ 'anything-but': { numeric: ['>', 1] } }] } },
      '/body/a/0/anything-but',
      'a text, a number',
    ],
    // The service refuses these patterns, of which some match nothing and some everything.
    [{ body: { a: [{ 'anything-but': null }] } }, '/body/a/0/anything-but', 'a text, a number'],
    [{ body: { a: [{ 'anything-but': true }] } }, '/body/a/0/anything-but', 'a text, a number'],
    [
      { body: { a: [{ 'anything-but': ['x', 5] }] } },
      '/body/a/0/anything-but',
      'a list of texts or of numbers',
    ],
    [{ body: { a: [{ 'anything-but': ['x', null] }] } }, '/body/a/0/anything-but', 'a text, a number'],
    [{ body: { a: [{ 'anything-but': { prefix: '' } }] } }, '/body/a/0/anything-but', 'a text, a number'],
    [{ body: { a: [{ 'anything-but': { prefix: [] } }] } }, '/body/a/0/anything-but', 'a text, a number'],
    [{ body: { a: [{ prefix: '' }] } }, '/body/a/0/prefix', 'a text that is not empty'],
    [{ body: { a: [{ prefix: { 'equals-ignore-case': '' } }] } }, '/body/a/0/prefix', 'a text that is not'],
    [{ body: { a: [{ suffix: { 'equals-ignore-case': '' } }] } }, '/body/a/0/suffix', 'a text that is not'],
    [{ body: { a: [{ suffix: '' }] } }, '/body/a/0/suffix', 'a text that is not empty'],
    [{ body: { a: [{ numeric: ['>', 0, '>', 0] }] } }, '/body/a/0/numeric', 'a range from a smaller number'],
    [{ body: { a: [{ numeric: ['<', 5, '>', 0] }] } }, '/body/a/0/numeric', 'a range from a smaller number'],
    [{ body: { a: [{ numeric: ['>', 5, '<', 0] }] } }, '/body/a/0/numeric', 'a range from a smaller number'],
    [{ body: { a: [{ numeric: ['=', 5, '<', 9] }] } }, '/body/a/0/numeric', 'a range from a smaller number'],
    [{ body: { a: [{ wildcard: 'a**b' }] } }, '/body/a/0/wildcard', 'a text in which *'],
    [{ body: { a: [{ wildcard: 'a\\b' }] } }, '/body/a/0/wildcard', 'a text in which *'],
    [{ 'body.a': [{ like: 'x' }] }, '/body/a/0', 'a value, or an object with one of'],
    [{ 'attributes.SenderID': ['x'] }, '/attributes/SenderID', 'the name SenderId'],
    [{ body: { a: [{ 'anything-but': [] }] } }, '/body/a/0/anything-but', 'a text, a number'],
    [[{ body: ['x'] }, { $or: ['x'] }], '/1/$or/0', 'a pattern'],
    [{ bodyy: { a: ['x'] } }, '/bodyy', 'the name body'],
    [{ awsRegion: ['x'] }, '/awsRegion', 'one of messageId, receiptHandle, body, '],
    [{ $or: [{ bdy: ['x'] }] }, '/$or/0/bdy', 'the name body'],
    [{ attributes: { SenderID: ['x'] } }, '/attributes/SenderID', 'the name SenderId'],
    [{ attributes: { SenderId: { a: ['x'] } } }, '/attributes/SenderId', 'a list of rules for a text'],
    [{ messageId: { a: ['x'] } }, '/messageId', 'a list of rules for a text'],
    [{ attributes: ['x'] }, '/attributes', 'a pattern for its fields'],
    [{ messageAttributes: { n: ['x'] } }, '/messageAttributes/n', 'a pattern for its fields'],
    [
      { messageAttributes: { n: { StringValue: ['1'] } } },
      '/messageAttributes/n/StringValue',
      'the name stringValue',
    ],
    [{ $or: { a: ['x'] } }, '/$or', 'a list of patterns'],
    [{ body: { $or: [] } }, '/body/$or', 'at least one'],
  ])('returns a JSON pointer to the invalid part of the filter %j', (filter, pointer, expected) => {
    expect(filterProblems(filter, '')).toEqual([
      { pointer, expected: expect.stringContaining(expected), actual: expect.any(String) },
    ])
  })

  it('reports every filter for which recordFilter() would throw', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.json(), (filter, body) => {
        const wrong = filterProblems(filter, '')
        if (wrong.length > 0) return
        const patterns = (Array.isArray(filter) ? filter : [filter]) as unknown as FilterPattern[]
        expect(typeof recordFilter(patterns)(record(body))).toBe('boolean')
      }),
    )
  })
})
