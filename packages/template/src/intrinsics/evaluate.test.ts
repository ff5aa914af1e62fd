import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readTemplate } from '../index.ts'

const options = {
  ...{ root: '/', template: '/', python: () => [], keep: () => '/' },
  ...{ parameters: {}, region: 'eu-central-1', account: '123456789012', stack: 'shop' },
}

/** Returns the output of a template with one, or undefined when only the cloud knows it. */
function outputOf(Value: unknown, sections: object = {}): string | undefined {
  const template = {
    Resources: { Orders: { Type: 'AWS::SQS::Queue' } },
    ...sections,
    Outputs: { Value: { Value } },
  }
  return readTemplate(JSON.stringify(template), options).outputs.Value
}

const mappings = { Mappings: { sizes: { small: { memory: '128', tags: ['a', 'b'] } } } }
const parameters = {
  Parameters: {
    Name: { Type: 'String', Default: 'orders' },
    List: { Type: 'CommaDelimitedList', Default: 'a, b ,c' },
    Secret: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/shop/secret' },
  },
}
const conditions = {
  Conditions: {
    yes: { 'Fn::Equals': ['1', 1] },
    no: { 'Fn::Not': [{ Condition: 'yes' }] },
    both: { 'Fn::And': [{ Condition: 'yes' }, { 'Fn::Or': [{ Condition: 'no' }, { Condition: 'yes' }] }] },
  },
}

describe('an intrinsic function', () => {
  it.each<[string, unknown, string | undefined]>([
    ['Ref of a parameter', { Ref: 'Name' }, 'orders'],
    ['Ref of a pseudo parameter', { Ref: 'AWS::Region' }, 'eu-central-1'],
    ['Ref of a queue', { Ref: 'Orders' }, 'http://127.0.0.1:9324/123456789012/Orders'],
    ['Ref of a parameter of the cloud', { Ref: 'Secret' }, undefined],
    ['GetAtt', { 'Fn::GetAtt': ['Orders', 'Arn'] }, 'arn:aws:sqs:eu-central-1:123456789012:Orders'],
    ['GetAtt of something else', { 'Fn::GetAtt': ['Orders', 'Moon'] }, undefined],
    [
      'Sub',
      { 'Fn::Sub': '${Orders.QueueName}-${AWS::StackName}-${!Name}-${Name}' },
      'Orders-shop-${Name}-orders',
    ],
    [
      'Sub with its own names',
      { 'Fn::Sub': ['${Name}-${a}', { a: { Ref: 'Name' }, Name: 'x' }] },
      'x-orders',
    ],
    ['Join', { 'Fn::Join': ['-', { Ref: 'List' }] }, 'a-b-c'],
    ['Select', { 'Fn::Select': ['1', { Ref: 'List' }] }, 'b'],
    ['Split', { 'Fn::Select': [2, { 'Fn::Split': ['.', 'a.b.c'] }] }, 'c'],
    ['FindInMap', { 'Fn::FindInMap': ['sizes', 'small', 'memory'] }, '128'],
    ['FindInMap with a default', { 'Fn::FindInMap': ['sizes', 'big', 'memory', { DefaultValue: 'x' }] }, 'x'],
    ['If', { 'Fn::If': ['both', 'a', { Ref: 'Nothing' }] }, 'a'],
    ['If that is false', { 'Fn::If': ['no', { Ref: 'Nothing' }, 'b'] }, 'b'],
    ['Base64', { 'Fn::Base64': 'hello' }, 'aGVsbG8='],
    ['GetAZs', { 'Fn::Join': [',', { 'Fn::GetAZs': '' }] }, 'eu-central-1a,eu-central-1b,eu-central-1c'],
    ['ToJsonString', { 'Fn::ToJsonString': { a: { Ref: 'Name' } } }, '{"a":"orders"}'],
    ['Length', { 'Fn::Sub': ['${n}', { n: { 'Fn::Length': { Ref: 'List' } } }] }, '3'],
    ['ImportValue', { 'Fn::ImportValue': 'other' }, undefined],
  ])('%s has its result', (_what, value, expected) => {
    expect(outputOf(value, { ...mappings, ...parameters, ...conditions })).toBe(expected)
  })

  it.each<[string, unknown, string]>([
    [
      'a name of nothing',
      { Ref: 'Moon' },
      '/Outputs/Value/Value/Ref: expected the name of a parameter or a resource, got Moon',
    ],
    [
      'a name of nothing in a text',
      { 'Fn::Sub': 'a${Moon}' },
      '/Fn::Sub: expected the name of a parameter or a resource, got Moon',
    ],
    ['an unknown function', { 'Fn::Moon': 1 }, 'expected an intrinsic function, got Fn::Moon'],
    [
      'an inherited name',
      { 'Fn::GetAtt': ['constructor', 'name'] },
      'expected the name of a resource, got constructor',
    ],
    [
      'an index beyond a list',
      { 'Fn::Select': [3, ['a']] },
      '/Fn::Select/0: expected an index from 0 to 0, got 3',
    ],
    [
      'keys of no mapping',
      { 'Fn::FindInMap': ['sizes', 'constructor', 'name'] },
      'expected keys of a mapping',
    ],
    [
      'a condition of nothing',
      { 'Fn::If': ['moon', 1, 2] },
      '/Fn::If/0: expected the name of a condition, got moon',
    ],
    ['too few values', { 'Fn::Join': [','] }, '/Fn::Join: expected 2 values, got 1'],
  ])('has an error with its place for %s', (_what, value, message) => {
    expect(() => outputOf(value, mappings)).toThrow(message)
  })

  it('finds cycles of conditions and of names', () => {
    const Conditions = { a: { 'Fn::Not': [{ Condition: 'b' }] }, b: { 'Fn::Not': [{ Condition: 'a' }] } }
    expect(() => outputOf({ 'Fn::If': ['a', '1', '2'] }, { Conditions })).toThrow(
      '/Conditions/a: expected a condition that does not depend on itself',
    )
    const queue = (QueueName: object) => ({ Type: 'AWS::SQS::Queue', Properties: { QueueName } })
    const Resources = { A: queue({ Ref: 'B' }), B: queue({ 'Fn::GetAtt': ['A', 'QueueName'] }) }
    expect(() => outputOf('x', { Resources })).toThrow(
      'expected a name that does not depend on itself, got a cycle',
    )
  })

  it('evaluates a condition once, however many others ask for it', () => {
    const of = (at: number) => ({ 'Fn::And': [{ Condition: `c${at + 1}` }, { Condition: `c${at + 1}` }] })
    const Conditions = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`c${at}`, of(at)]))
    expect(
      outputOf(
        { 'Fn::If': ['c0', 'a', 'b'] },
        { Conditions: { ...Conditions, c60: { 'Fn::Equals': [1, 1] } } },
      ),
    ).toBe('a')
  })

  it('makes no more than ten million characters', () => {
    const Parameters = { P: { Type: 'String', Default: 'x'.repeat(4000) } }
    const text = { 'Fn::Sub': '${P}'.repeat(2000) }
    expect(() => outputOf({ 'Fn::Join': ['', [text, text, text]] }, { Parameters })).toThrow(
      'at most 10000000 characters',
    )
  })

  it('removes what stands for no value', () => {
    const none = { 'Fn::If': ['no', 'x', { Ref: 'AWS::NoValue' }] }
    expect(outputOf({ 'Fn::Join': ['-', ['a', none, 'b']] }, conditions)).toBe('a-b')
    expect(outputOf({ 'Fn::ToJsonString': { a: none, b: 1 } }, conditions)).toBe('{"b":1}')
  })
})

/** An expression with the text that it stands for. */
interface Known {
  readonly expression: unknown
  readonly text: string
}

const plain = fc.string({ maxLength: 8 }).filter(text => !text.includes('$'))
const { known } = fc.letrec<{ known: Known }>(tie => {
  const list = fc.array(tie('known'), { minLength: 1, maxLength: 3 })
  return {
    known: fc.oneof(
      { maxDepth: 4 },
      plain.map(text => ({ expression: text, text })),
      fc.constant({ expression: { Ref: 'Name' }, text: 'orders' }),
      fc.tuple(list, plain).map(([all, delimiter]) => ({
        expression: { 'Fn::Join': [delimiter, all.map(({ expression }) => expression)] },
        text: all.map(({ text }) => text).join(delimiter),
      })),
      fc.tuple(list, fc.nat()).map(([all, at]) => ({
        expression: { 'Fn::Select': [at % all.length, all.map(({ expression }) => expression)] },
        text: all[at % all.length]!.text,
      })),
      fc.tuple(tie('known'), tie('known'), fc.boolean()).map(([one, other, is]) => ({
        expression: { 'Fn::If': [is ? 'yes' : 'no', one.expression, other.expression] },
        text: is ? one.text : other.text,
      })),
      fc.tuple(tie('known'), plain).map(([inner, text]) => ({
        expression: { 'Fn::Sub': [`${text}\${inner}\${Name}`, { inner: inner.expression }] },
        text: `${text}${inner.text}orders`,
      })),
      tie('known').map(({ expression, text }) => ({
        expression: { 'Fn::Base64': expression },
        text: Buffer.from(text).toString('base64'),
      })),
    ),
  }
})

it('functions in functions have the results of a model', () => {
  fc.assert(
    fc.property(known, ({ expression, text }) => {
      expect(outputOf(expression, { ...parameters, ...conditions })).toBe(text)
    }),
    { numRuns: 1000 },
  )
})
