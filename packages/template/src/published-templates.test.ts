import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { readTemplate, type TemplateOptions } from './index.ts'

const folder = temporaryFolder()
afterAll(() => folder[Symbol.dispose]())
mkdirSync(join(folder.path, 'orders'))
for (const file of ['orders/index.mjs', 'app.zip']) writeFileSync(join(folder.path, file), '')

const read = (text: string, beside: TemplateOptions['beside'] = {}) => {
  const { warnings, ...template } = readTemplate(text, {
    root: folder.path,
    template: folder.path,
    python: () => ['python3', 'runtime.py'],
    keep: () => folder.path,
    parameters: {},
    region: 'eu-central-1',
    account: '123456789012',
    stack: 'shop',
    beside,
  })
  return {
    ...template,
    missing: warnings.flatMap(({ kind, text: each }) => (kind === 'missing' ? each : [])),
  }
}

const code = 'Runtime: nodejs22.x, Code: orders, Handler: index.handler'
const lambda = (more = '') => `{Type: AWS::Lambda::Function, Properties: {${code}${more}}}`
const sam = (more = '') =>
  `{Type: AWS::Serverless::Function, Properties: {Runtime: nodejs22.x, CodeUri: orders, Handler: index.handler${more}}}`
const cloud = `
Parameters: {Setting: {Type: 'AWS::SSM::Parameter::Value<String>', Default: /shop/setting}}
Conditions: {isOpen: !Equals [!Ref Setting, open], always: !Equals [a, a]}`
const unknown = 'the parameter Setting has its value in the cloud. Give it: --parameter Setting=….'

describe('a value that only the cloud knows', () => {
  it('decides no condition, and what has the condition does not run', () => {
    const { config, missing } = read(`${cloud}
Resources:
  Open: {Type: AWS::SQS::Queue, Condition: isOpen}
  F: ${lambda(', Environment: {Variables: {Q: !Ref Open, A: b}}')}`)
    expect(config.queues).toBeUndefined()
    expect(config.functions.F!.env).toMatchObject({ A: 'b' })
    expect(missing).toEqual([
      `Open does not run here, because of its condition isOpen: ${unknown}`,
      'F has no Q here: only the cloud knows the condition of Open.',
    ])
  })

  it('in place of a collection leaves out the collection', () => {
    const { config, missing } = read(`${cloud}
Resources:
  F: ${lambda(', Environment: !If [isOpen, {Variables: {A: b}}, !Ref AWS::NoValue]')}
  G: ${lambda(', Environment: {Variables: {"Fn::Transform": {Name: AWS::Include}}}')}
  H: ${lambda(', Environment: !If [always, {Variables: {A: b}}, !Ref AWS::NoValue]')}
  Group:
    Type: AWS::ElasticLoadBalancingV2::TargetGroup
    Properties: {TargetType: lambda, Targets: [!If [isOpen, {Id: x}, {Id: y}], {Id: !GetAtt F.Arn}]}
  Web:
    Type: AWS::ElasticLoadBalancingV2::Listener
    Properties: {Port: 8080, DefaultActions: [{Type: forward, TargetGroupArn: !Ref Group}]}`)
    expect(config.functions.H!.env).toMatchObject({ A: 'b' })
    expect(config.loadBalancers).toMatchObject({ Web: { function: 'F' } })
    expect(missing).toEqual([
      `F has no Environment here: ${unknown}`,
      'G has no Variables here: Fn::Transform is worked out by the cloud.',
      `Group has no Targets here: ${unknown}`,
    ])
  })
})

it('an archive that is none is no code', () => {
  const { missing } = read(
    'Resources: {F: {Type: AWS::Lambda::Function, Properties: {Runtime: nodejs22.x, Code: app.zip, Handler: a.b}}}',
  )
  expect(missing).toEqual(['F does not run: ./app.zip cannot be read. It is not a zip archive.'])
})

it('a secret parameter is in no error and in no warning', () => {
  const secret = 'Parameters: {Key: {Type: String, NoEcho: true, Default: hunter2000}}\nResources:'
  expect(() => read(`${secret} {Q: {Type: AWS::SQS::Queue, Properties: {DelaySeconds: !Ref Key}}}`)).toThrow(
    '/Resources/Q/Properties/DelaySeconds: expected a number, got "****"',
  )
  expect(
    read(`${secret} {F: {Type: AWS::Lambda::Function, Properties: {Runtime: !Ref Key}}}`).missing,
  ).toEqual(['F does not run: there is no **** here. A `command` in a configuration can run it.'])
})

describe('functions', () => {
  it('keep the digits of variables that look like numbers', () => {
    const { config } = read(
      `Resources: {F: ${lambda(', Environment: {Variables: {A: 1.10, B: 12345678901234567890, C: 012, D: 7}}')}}`,
    )
    expect(config.functions.F!.env).toMatchObject({ A: '1.10', B: '12345678901234567890', C: '012', D: '7' })
  })

  it.each([
    ['{b: c}', 'an object'],
    ['null', 'null'],
    ['[a]', 'a list'],
  ])('have no variable %s', (value, kind) => {
    expect(() => read(`Resources: {F: ${lambda(`, Environment: {Variables: {A: ${value}}}`)}}`)).toThrow(
      `/Resources/F/Properties/Environment/Variables/A: expected a text, got ${kind}`,
    )
  })

  it('have code in a folder that is absolute, or that a function of the template names', () => {
    const { config } = read(`
Parameters: {Folder: {Type: String, Default: orders}}
Resources:
  A: {Type: AWS::Lambda::Function, Properties: {Runtime: nodejs22.x, Code: ${JSON.stringify(join(folder.path, 'orders'))}, Handler: index.handler}}
  B: {Type: AWS::Lambda::Function, Properties: {Runtime: nodejs22.x, Code: !Sub './\${Folder}', Handler: index.handler}}`)
    expect(config.functions).toMatchObject({
      A: { module: './orders/index.mjs' },
      B: { module: './orders/index.mjs' },
    })
  })

  it.each([
    ['python3.13', 'nowhere', './nowhere is not a folder'],
    ['provided.al2023', 'orders', './orders is not a folder with the program bootstrap'],
  ])('of %s do not run without code in %s, and others do', (runtime, path, why) => {
    const { config, missing } = read(
      `Resources: {F: {Type: AWS::Lambda::Function, Properties: {Runtime: ${runtime}, Code: ${path}, Handler: a.b}}, G: ${lambda()}}`,
    )
    expect(Object.keys(config.functions)).toEqual(['G'])
    expect(missing).toEqual([`F does not run: ${why}. Build it first.`])
  })

  it('run with the program of the configuration beside the template, which gets messages and variables', () => {
    const { config, missing } = read(
      `
Resources:
  Java: {Type: AWS::Lambda::Function, Properties: {Runtime: java21, Code: a.jar, Handler: a.B, Environment: {Variables: {A: b}}}}
  Q: {Type: AWS::SQS::Queue}
  M: {Type: AWS::Lambda::EventSourceMapping, Properties: {EventSourceArn: !GetAtt Q.Arn, FunctionName: !Ref Java}}`,
      { functions: { Java: { command: ['java', 'Main'] } } },
    )
    expect(config.functions.Java).toMatchObject({ command: ['java', 'Main'], env: { A: 'b' } })
    expect(config.queues).toEqual({ Q: { function: 'Java' } })
    expect(missing).toEqual([])
  })

  it.each(['in\0dex.handler', `${'x'.repeat(5000)}.handler`])(
    'do not run with a handler of no file',
    handler => {
      const Properties = { Runtime: 'nodejs22.x', Code: 'orders', Handler: handler }
      const { missing } = read(
        JSON.stringify({ Resources: { F: { Type: 'AWS::Lambda::Function', Properties } } }),
      )
      expect(missing).toEqual([expect.stringContaining('F does not run: there is no ')])
    },
  )

  it('with the name of another are an error', () => {
    const named = lambda(', FunctionName: f')
    expect(() => read(`Resources: {F: ${named}, G: ${named}}`)).toThrow(
      '/Resources/G/Properties/FunctionName: expected another name than that of F, got f',
    )
  })
})

describe('queues', () => {
  it('have no dead-letter queue that is not in the template', () => {
    const { config, missing } = read(
      `Resources: {Q: {Type: AWS::SQS::Queue, Properties: {RedrivePolicy: {deadLetterTargetArn: "arn:aws:sqs:eu-central-1:123456789012:other", maxReceiveCount: 3}}}}`,
    )
    expect(config.queues).toEqual({ Q: {} })
    expect(missing).toEqual([
      'Q has no dead-letter queue here, because other is not a queue of this template.',
    ])
  })

  it.each([
    ['{deadLetterTargetArn: !GetAtt Q.Arn}', '/maxReceiveCount: expected a number, got nothing'],
    ['{maxReceiveCount: 3}', '/deadLetterTargetArn: expected the ARN of a queue, got nothing'],
  ])('with the policy %s are an error', (policy, message) => {
    expect(() =>
      read(`Resources: {Q: {Type: AWS::SQS::Queue, Properties: {RedrivePolicy: ${policy}}}}`),
    ).toThrow(`/Resources/Q/Properties/RedrivePolicy${message}`)
  })

  it('of FIFO have names that say so', () => {
    expect(() =>
      read('Resources: {Q: {Type: AWS::SQS::Queue, Properties: {FifoQueue: true, QueueName: plain}}}'),
    ).toThrow('/Resources/Q/Properties/QueueName: expected a name that ends in .fifo, got plain')
  })

  it('have an address before the platform starts', () => {
    expect(() => read('Resources: {}', { queueListener: { port: 0 } })).toThrow(
      '/queueListener/port: expected a port that is known before the platform starts, because functions get its address, got any free port',
    )
  })

  it('have a policy in JSON, and no properties', () => {
    const { config } = read(`
Resources:
  Q: {Type: AWS::SQS::Queue, Properties: {RedrivePolicy: !Sub '{"deadLetterTargetArn":"\${Dead.Arn}","maxReceiveCount":"3"}'}}
  Dead: {Type: AWS::SQS::Queue, Properties: null}`)
    expect(config.queues).toEqual({ Q: { deadLetter: { queue: 'Dead', maxReceiveCount: 3 } }, Dead: {} })
  })
})

describe('templates of SAM', () => {
  it('refer to what only SAM adds, and have sections that are not read', () => {
    const { outputs, missing } = read(`
Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Parameters: {Names: {Type: 'AWS::SSM::Parameter::Value<List<String>>', Default: /shop/names}}
Rules: {One: {Assertions: [{Assert: !Contains [[a], a]}]}}
Resources:
  Api: {Type: AWS::Serverless::Api, Properties: {StageName: live}}
  F: ${sam(', AutoPublishAlias: live, FunctionUrlConfig: {AuthType: NONE}, Events: {Tick: {Type: Schedule}}')}
  Fn::ForEach::Queues: [Name, !Ref Names, {"Q\${Name}": {Type: AWS::SQS::Queue}}]
  Fn::Transform: {Name: AWS::Include}
Outputs:
  Alias: {Value: !Ref F.Alias}
  Stage: {Value: !Sub "\${Api.Stage}\${ApiliveStage}\${FTickPermission}"}
  Number: {Value: 5}`)
    expect(outputs).toEqual({
      Alias: 'arn:aws:lambda:eu-central-1:123456789012:function:F',
      Number: '5',
    })
    expect(missing).toEqual([
      'F gets no events of Tick, because nothing here makes events of the type Schedule. `signalbox invoke` gives it one.',
      'The resources of Fn::ForEach::Queues do not run here.',
      'The resources of Fn::Transform do not run here.',
      'F has no URL of its own here. A load balancer can call it.',
      'Api (AWS::Serverless::Api) does not run here.',
    ])
  })

  it.each([
    [', Events: !If [always, {A: {Type: Schedule}}, {}]', '', '/Resources/F/Properties/Events'],
    [', Events: {A: !If [always, {Type: Schedule}, {}]}', '', '/Resources/F/Properties/Events/A'],
    [
      ', Events: {A: {Type: Cognito, Properties: {UserPool: !Ref Pool, Trigger: PreSignUp}}}',
      'LambdaConfig: !If [always, {}, {}]',
      '/Resources/Pool/Properties/LambdaConfig',
    ],
  ])('are an error where SAM has to know the names: %s %s', (events, pool, place) => {
    expect(() =>
      read(
        `${cloud}\nResources:\n  F: ${sam(events)}\n  Pool: {Type: AWS::Cognito::UserPool, Properties: {${pool}}}`,
      ),
    ).toThrow(`${place}: expected an object that SAM can read, got Fn::If`)
  })
})

describe('loops', () => {
  it('that make too much are an error', () => {
    const names = Array.from({ length: 20_000 }, (_, at) => at)
    const queue = { Type: 'AWS::SQS::Queue', Properties: { DelaySeconds: 1 } }
    const text = JSON.stringify({
      Resources: { 'Fn::ForEach::Queues': ['Name', names, { 'Q${Name}': queue }] },
    })
    expect(() => read(text)).toThrow('expected at most 100000 values of all loops')
  })

  const loop = (collection: string) => `
Transform: AWS::LanguageExtensions
Parameters: {Names: {Type: CommaDelimitedList, Default: 'orders,old-mails'}}
Mappings: {Parts: {of: {all: [orders, mails]}}}
Resources:
  F: ${lambda()}
  Fn::ForEach::Queues:
    - Name
    - ${collection}
    - "Q&{Name}": {Type: AWS::SQS::Queue, Properties: {QueueName: !Sub 'shop-\${Name}'}}
      "M&{Name}": {Type: AWS::Lambda::EventSourceMapping, Properties: {EventSourceArn: !GetAtt 'Q&{Name}.Arn', FunctionName: !Ref F}}
Outputs:
  Fn::ForEach::Urls: [Name, ${collection}, {"Url&{Name}": {Value: !Ref 'Q&{Name}'}}]`

  it('make resources and outputs of a list, a parameter or a mapping', () => {
    const { config, outputs } = read(loop('[orders, old-mails]'))
    expect(config.queues).toEqual({ 'shop-orders': { function: 'F' }, 'shop-old-mails': { function: 'F' } })
    expect(outputs).toEqual({
      Urlorders: 'http://127.0.0.1:9324/123456789012/shop-orders',
      Urloldmails: 'http://127.0.0.1:9324/123456789012/shop-old-mails',
    })
    expect(read(loop('!Ref Names')).config.queues).toEqual(config.queues)
    expect(Object.keys(read(loop('!FindInMap [Parts, of, all]')).config.queues!)).toEqual([
      'shop-orders',
      'shop-mails',
    ])
  })

  it('stand in each other, and in properties', () => {
    const { config } = read(`
Resources:
  Fn::ForEach::Stages:
    - Stage
    - [Dev, Live]
    - Fn::ForEach::Names:
        - Name
        - [A, B]
        - "Q\${Stage}\${Name}": {Type: AWS::SQS::Queue, Properties: {QueueName: !Join ['-', [!Ref Stage, !Ref Name]]}}
  F:
    Type: AWS::Lambda::Function
    Properties:
      Runtime: nodejs22.x
      Code: orders
      Handler: index.handler
      Environment:
        Variables:
          Fn::ForEach::V: [Name, [A, B], {"V\${Name}": !Ref Name}]`)
    expect(Object.keys(config.queues!)).toEqual(['Dev-A', 'Dev-B', 'Live-A', 'Live-B'])
    expect(config.functions.F!.env).toMatchObject({ VA: 'A', VB: 'B' })
  })

  it.each([
    ['[a, {b: c}]', '/Resources/Fn::ForEach::Queues/1/1: expected a text, got an object'],
    ['5', '/Resources/Fn::ForEach::Queues/1: expected a list, got a number'],
    ['[a, a]', '/Resources: expected each name once, got Qa'],
  ])('over %s are an error', (collection, message) => {
    expect(() => read(loop(collection))).toThrow(message)
  })
})

it('triggers of SAM have names, and not functions of the template', () => {
  const events =
    ', Events: {A: {Type: Cognito, Properties: {UserPool: !Ref Pool, Trigger: !If [always, A, B]}}}'
  expect(() =>
    read(`${cloud}\nResources:\n  F: ${sam(events)}\n  Pool: {Type: AWS::Cognito::UserPool}`),
  ).toThrow(
    '/Resources/F/Properties/Events/A/Properties/Trigger: expected the name of a trigger, got an object',
  )
})

it('user pools leave out what only the cloud has', () => {
  const { config, missing } = read(`
Resources:
  Pool: {Type: AWS::Cognito::UserPool}
  Web:
    Type: AWS::Cognito::UserPoolClient
    Properties:
      UserPoolId: !Ref Pool
      ClientName: web
      AllowedOAuthFlows: [implicit, code]
      AllowedOAuthFlowsUserPoolClient: true
      AllowedOAuthScopes: [openid]
      CallbackURLs: [https://example.com]
      SupportedIdentityProviders: [COGNITO, Google]
  Old:
    Type: AWS::Cognito::UserPoolClient
    Properties: {UserPoolId: !Ref Pool, ClientName: web, AllowedOAuthFlows: [implicit], AllowedOAuthFlowsUserPoolClient: true}
  Domain:
    Type: AWS::Cognito::UserPoolDomain
    Properties: {UserPoolId: !Ref Pool, Domain: auth.example.com, CustomDomainConfig: {CertificateArn: x}}
  Lost: {Type: AWS::Cognito::UserPoolClient, Properties: {UserPoolId: eu-central-1_abcdefghi}}`)
  const { clients, domain } = config.userPools!.Pool as { clients: object; domain?: string }
  expect(domain).toBeUndefined()
  expect(clients).toMatchObject({ web: { grants: ['code'], providers: [] }, Old: {} })
  expect(clients).not.toHaveProperty('Old.grants')
  expect(missing).toEqual([
    'Lost does not exist here, because its user pool is not in this template.',
    "Domain does not exist here: custom domains don't.",
    'Web has no implicit grant here. Its program can use the grant code.',
    'Web does not sign in users of Google, which is not here.',
    'Old has no implicit grant here. Its program can use the grant code.',
  ])
})

it('names of inherited properties are names like others', () => {
  const { config } = read(`
Resources:
  F: ${lambda(', FunctionName: __proto__')}
  Pool: {Type: AWS::Cognito::UserPool}
  Web: {Type: AWS::Cognito::UserPoolClient, Properties: {UserPoolId: !Ref Pool, ClientName: constructor}}`)
  expect(Object.keys(config.functions)).toEqual(['__proto__'])
  expect(Object.keys(config.userPools!.Pool!.clients as object)).toEqual(['constructor'])
})

it('a load balancer is where its listener for functions listens, also when the configuration moves it', () => {
  const text = `
Resources:
  F: ${lambda()}
  Alb: {Type: AWS::ElasticLoadBalancingV2::LoadBalancer}
  Group: {Type: AWS::ElasticLoadBalancingV2::TargetGroup, Properties: {TargetType: lambda, Targets: [{Id: !GetAtt F.Arn}]}}
  Http: {Type: AWS::ElasticLoadBalancingV2::Listener, Properties: {LoadBalancerArn: !Ref Alb, Port: 80, DefaultActions: [{Type: redirect}]}}
  Https: {Type: AWS::ElasticLoadBalancingV2::Listener, Properties: {LoadBalancerArn: !Ref Alb, Port: 443, DefaultActions: [{Type: forward, TargetGroupArn: !Ref Group}]}}
Outputs: {Host: {Value: !GetAtt Alb.DNSName}}`
  expect(read(text).outputs).toEqual({ Host: '127.0.0.1:8443' })
  expect(read(text, { loadBalancers: { Https: { port: 9000 } } }).outputs).toEqual({ Host: '127.0.0.1:9000' })
})
