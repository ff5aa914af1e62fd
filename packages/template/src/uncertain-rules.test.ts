import { expect, it } from '@jest/globals'
import { readTemplate } from './index.ts'

/** Reads a template with a listener, and returns the listener and the warnings. */
function read(resources: string, more = '') {
  const text = `
Transform: AWS::Serverless-2016-10-31
Parameters: {Cloud: {Type: 'AWS::SSM::Parameter::Value<String>', Default: /cloud}}
Conditions:
  InCloud: !Equals [!Ref Cloud, a]
  Never: !Equals [a, b]
Resources:
  Work: {Type: AWS::Serverless::Function, Properties: {Handler: index.handler, Runtime: nodejs24.x, CodeUri: .}}
  Group: {Type: AWS::ElasticLoadBalancingV2::TargetGroup, Properties: {TargetType: lambda, Targets: [{Id: !GetAtt Work.Arn}]}}
  Other: {Type: AWS::ElasticLoadBalancingV2::Listener, Condition: Never, Properties: {Port: 8081, DefaultActions: [${forward}]}}
${resources}
${more}`
  const { config, warnings } = readTemplate(text, {
    ...{ root: '.', template: '.', parameters: {}, region: 'eu-central-1', account: '123456789012' },
    ...{ stack: 'shop', python: () => [], keep: () => '.', beside: { functions: { Work: 'index.mjs' } } },
  })
  const listener = config.loadBalancers!.Listener as {
    readonly [key: string]: unknown
    readonly rules?: object[]
  }
  return { listener, rules: listener.rules, warnings: warnings.map(({ text }) => text) }
}

const forward = '{Type: forward, Order: 2, TargetGroupArn: !Ref Group}'
const token = (more = '') =>
  `{Type: jwt-validation, Order: 1, JwtValidationConfig: {Issuer: "https://id.example", JwksEndpoint: "https://id.example/k"${more}}}`
const listener = (actions = `[${forward}]`) =>
  `  Listener: {Type: AWS::ElasticLoadBalancingV2::Listener, Properties: {Port: 8080, DefaultActions: ${actions}}}`

type Parts = { readonly [part in 'condition' | 'arn' | 'priority' | 'conditions' | 'actions']?: string }

/** Returns the rules of a listener with a rule and one that lets requests in, and the warnings. */
function ruled({
  condition = '',
  arn = '!Ref Listener',
  priority = '5',
  conditions = '[{Field: path-pattern, Values: [/in]}]',
  actions = `[${token()}, ${forward}]`,
}: Parts) {
  return read(`${listener()}
  Open:
    Type: AWS::ElasticLoadBalancingV2::ListenerRule
    Properties: {ListenerArn: !Ref Listener, Priority: 1, Conditions: [{Field: path-pattern, Values: [/open]}], Actions: [${forward}]}
  Rule:
    Type: AWS::ElasticLoadBalancingV2::ListenerRule
    ${condition}
    Properties: {ListenerArn: ${arn}, Priority: ${priority}, Conditions: ${conditions}, Actions: ${actions}}`)
}

const open = expect.objectContaining({ path: ['/open'], function: 'Work' })
const uncertain = { respond: { status: 501, body: 'Only the cloud knows when this rule applies.' } }
const unknownActions = { respond: { status: 501, body: 'Only the cloud knows the actions.' } }
const unknownCondition = { respond: { status: 501, body: 'A condition of this rule is not known here.' } }

it('a rule that is known as a whole checks tokens', () => {
  expect(ruled({}).rules).toEqual([
    open,
    expect.objectContaining({ path: ['/in'], function: 'Work', validateJwt: expect.anything() }),
  ])
})

it.each<[string, Parts]>([
  ['its condition', { condition: 'Condition: InCloud' }],
  ['its listener', { arn: '!ImportValue listener' }],
  ['its listener, of two', { arn: '!If [InCloud, !Ref Listener, !ImportValue listener]' }],
])('a rule of which only the cloud knows %s answers 501', (_what, parts) => {
  const { rules, warnings } = ruled(parts)
  expect(rules).toEqual([open, { path: ['/in'], ...uncertain }])
  expect(warnings).toContain('Rule answers 501, because only the cloud knows when it applies.')
})

it('a rule of which only the cloud knows the priority comes first, and answers 501', () => {
  expect(ruled({ priority: '!Ref Cloud' }).rules).toEqual([{ path: ['/in'], ...uncertain }, open])
})

it('a rule of a listener that does not exist here, or with a false condition, is left out', () => {
  expect(ruled({ arn: '!Ref Other' }).rules).toEqual([open])
  expect(ruled({ condition: 'Condition: Never' }).rules).toEqual([open])
})

it.each([
  ['an action', `[!If [InCloud, ${token()}, !Ref AWS::NoValue], ${forward}]`],
  ['all actions', `!If [InCloud, [${token()}, ${forward}], [${forward}]]`],
])('a rule and a listener of which only the cloud knows %s answer 501', (_what, actions) => {
  const { rules, warnings } = ruled({ actions })
  expect(rules).toEqual([open, { path: ['/in'], ...unknownActions }])
  expect(warnings).toContain('Rule answers 501, because only the cloud knows its actions.')
  expect(read(listener(actions)).listener).toEqual({ port: 8080, ...unknownActions })
})

it.each([
  ['a claim', '[!If [InCloud, {Name: a, Format: single-string, Values: [b]}, !Ref AWS::NoValue]]'],
  ['all claims', '!If [InCloud, [{Name: a, Format: single-string, Values: [b]}], []]'],
  ['the values of a claim', '[{Name: a, Format: single-string, Values: [!Ref Cloud]}]'],
])('a check of tokens of which only the cloud knows %s answers 501', (_what, claims) => {
  const { rules } = ruled({ actions: `[${token(`, AdditionalClaims: ${claims}`)}, ${forward}]` })
  expect(rules).toEqual([
    open,
    { path: ['/in'], respond: { status: 501, body: 'jwt-validation does not run here.' } },
  ])
})

const header = (name: string, value: string) =>
  `{Field: http-header, HttpHeaderConfig: {HttpHeaderName: ${name}, Values: [${value}]}}`
const query = (...pairs: readonly string[]) =>
  `{Field: query-string, QueryStringConfig: {Values: [${pairs.join(', ')}]}}`

it.each<[string, string, object]>([
  ['an unknown field', '[{Field: !Ref Cloud, Values: [/in]}]', { path: ['*'] }],
  ['a field of another kind', '[{Field: moon-phase, Values: [full]}]', { path: ['*'] }],
  ['no condition', '[]', { path: ['*'] }],
  ['two values of a header', `[${header('a', 'b')}, ${header('a', 'c')}]`, { headers: { a: ['b'] } }],
  [
    'two queries',
    `[${query('{Key: a, Value: b}')}, ${query('{Key: c, Value: d}')}]`,
    { query: [{ key: 'a', value: 'b' }] },
  ],
  [
    'two paths',
    '[{Field: path-pattern, Values: [/in]}, {Field: path-pattern, Values: ["*.png"]}]',
    { path: ['/in'] },
  ],
  ['an unknown key', `[${query('{Key: a, Value: b}', '{Key: !Ref Cloud, Value: d}')}]`, { path: ['*'] }],
  [
    'an unknown pair',
    `[${query('{Key: a, Value: b}', '!If [InCloud, {Key: c, Value: d}, !Ref AWS::NoValue]')}]`,
    { path: ['*'] },
  ],
])('a rule with %s answers 501, for all requests that it might be for', (_what, conditions, known) => {
  expect(ruled({ conditions }).rules).toEqual([open, { ...known, ...unknownCondition }])
})

it('a rule can have conditions for several headers', () => {
  expect(ruled({ conditions: `[${header('a', 'b')}, ${header('c', 'd')}]` }).rules).toEqual([
    open,
    expect.objectContaining({ headers: { a: ['b'], c: ['d'] }, function: 'Work' }),
  ])
})

it('expressions of conditions are those of the rule', () => {
  const regex = (field: string, config: string, more = '') =>
    `{Field: ${field}, ${config}: {${more}RegexValues: ['^a+$']}}`
  const { rules } = ruled({
    conditions: `[${regex('path-pattern', 'PathPatternConfig')}, ${regex('host-header', 'HostHeaderConfig')}, ${regex('http-header', 'HttpHeaderConfig', 'HttpHeaderName: x-a, ')}]`,
  })
  expect(rules![1]).toMatchObject({
    ...{ pathRegex: ['^a+$'], hostRegex: ['^a+$'], headersRegex: { 'x-a': ['^a+$'] }, function: 'Work' },
  })
  for (const conditions of [
    '[{Field: path-pattern, PathPatternConfig: {RegexValues: [!Ref Cloud]}}]',
    "[{Field: path-pattern, PathPatternConfig: {Values: [/a], RegexValues: ['^a+$']}}]",
    '[{Field: path-pattern, PathPatternConfig: {Values: [/a], RegexValues: [!Ref Cloud]}}]',
    '[{Field: http-header, HttpHeaderConfig: {HttpHeaderName: x-a, RegexValues: [!Ref Cloud]}}]',
    "[{Field: http-request-method, HttpRequestMethodConfig: {RegexValues: ['^a+$']}}]",
  ])
    expect(ruled({ conditions }).rules![1]).toMatchObject(unknownCondition)
})

it('a transform that only the cloud knows is left out by name', () => {
  const transformed = (transforms: string) => ruled({ priority: `5, Transforms: ${transforms}` })
  const url = (regex: string) =>
    `{Type: url-rewrite, UrlRewriteConfig: {Rewrites: [{Regex: ${regex}, Replace: /b}]}}`
  const known = transformed(`[${url("'^/a'")}]`)
  expect(known.rules![1]).toMatchObject({ rewrite: { path: { regex: '^/a', replace: '/b' } } })
  const unknown = transformed(`[${url('!Ref Cloud')}]`)
  expect(unknown.rules![1]).not.toHaveProperty('rewrite')
  expect(unknown.warnings).toContain('Rule does not rewrite the path here, because only the cloud knows how.')
  expect(transformed('!If [InCloud, [], []]').warnings).toContain(
    'Rule does not rewrite requests here, because only the cloud knows how.',
  )
  expect(transformed('[{Type: new-rewrite}]').warnings).toContain('Rule has no transform new-rewrite here.')
})
