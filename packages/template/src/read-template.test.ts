import { afterAll, describe, expect, it } from '@jest/globals'
import { templateReader, worker } from './testing/template-reader.ts'

const reader = templateReader()
afterAll(() => reader[Symbol.dispose]())
const { read, ofSam } = reader

describe('queues', () => {
  it('have their settings, their dead-letter queue and the function of their mapping', () => {
    const { config, outputs } = read(`
Resources:
${worker}
  Orders:
    Type: AWS::SQS::Queue
    Properties:
      FifoQueue: true
      ContentBasedDeduplication: "true"
      VisibilityTimeout: 60
      RedrivePolicy: {deadLetterTargetArn: !GetAtt Dead.Arn, maxReceiveCount: 4}
  Dead: {Type: AWS::SQS::Queue, Properties: {QueueName: dead.fifo, FifoQueue: true}}
  Mapping:
    Type: AWS::Lambda::EventSourceMapping
    Properties:
      EventSourceArn: !GetAtt Orders.Arn
      FunctionName: !Ref Work
      BatchSize: 7
      FunctionResponseTypes: [ReportBatchItemFailures]
      FilterCriteria: {Filters: [{Pattern: '{"body":{"a":[1]}}'}]}
      ScalingConfig: {MaximumConcurrency: 2}
Outputs: {Url: {Value: !Ref Orders}}`)
    expect(config.queues).toEqual({
      'Orders.fifo': {
        contentBasedDeduplication: true,
        visibilityTimeout: 60,
        deadLetter: { queue: 'dead.fifo', maxReceiveCount: 4 },
        function: 'Work',
        batchSize: 7,
        reportBatchItemFailures: true,
        filter: [{ body: { a: [1] } }],
        maximumConcurrency: 2,
      },
      'dead.fifo': {},
    })
    expect(outputs).toEqual({ Url: 'http://127.0.0.1:9324/123456789012/Orders.fifo' })
  })

  it('have several functions when they have several mappings', () => {
    const mapping = (id: string, more: string) =>
      `  ${id}: {Type: AWS::Lambda::EventSourceMapping, Properties: {EventSourceArn: !GetAtt Q.Arn, FunctionName: !GetAtt Work.Arn, ${more}}}`
    const { config } = read(
      `Resources:\n${worker}\n  Q: {Type: AWS::SQS::Queue}\n${mapping('A', 'MaximumBatchingWindowInSeconds: 5')}\n${mapping('B', 'BatchSize: 1')}\n${mapping('C', 'Enabled: false')}`,
    )
    expect(config.queues!.Q).toEqual({
      batchWindow: 5,
      functions: [{ function: 'Work' }, { function: 'Work', batchSize: 1 }],
    })
  })

  it('of SAM get the events of its functions, and a wrong setting is an error at its place', () => {
    const sam = (size: string) => `
  Q: {Type: AWS::SQS::Queue}
  F:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: nodejs22.x
      CodeUri: orders
      Handler: index.handler
      Events:
        Messages: {Type: SQS, Properties: {Queue: !GetAtt Q.Arn, BatchSize: ${size}}}
        Web: {Type: HttpApi}`
    const { config, warnings } = ofSam(sam('3'))
    expect(config.queues).toEqual({ Q: { function: 'F', batchSize: 3 } })
    expect(warnings.map(({ text }) => text)).toEqual([
      'F gets no events of Web, because nothing here makes events of the type HttpApi. `signalbox invoke` gives it one.',
    ])
    expect(() => ofSam(sam('many'))).toThrow(
      '/Resources/F/Properties/Events/Messages/Properties/BatchSize: expected a number, got "many"',
    )
  })
})

it('user pools have their clients, attributes, groups and triggers', () => {
  const { config } = read(`
Resources:
${worker}
  Pool:
    Type: AWS::Cognito::UserPool
    Properties:
      UsernameAttributes: [email]
      AutoVerifiedAttributes: [email]
      Schema:
        - {Name: email, Required: true, Mutable: false}
        - {Name: tenant, AttributeDataType: Number}
      Policies: {PasswordPolicy: {MinimumLength: 10, RequireSymbols: false, RequireLowercase: true}}
      MfaConfiguration: OPTIONAL
      EnabledMfas: [SOFTWARE_TOKEN_MFA]
      AdminCreateUserConfig: {AllowAdminCreateUserOnly: true}
      LambdaConfig:
        PreSignUp: !GetAtt Work.Arn
        PreTokenGenerationConfig: {LambdaArn: !GetAtt Work.Arn, LambdaVersion: V2_0}
  Web:
    Type: AWS::Cognito::UserPoolClient
    Properties:
      UserPoolId: !Ref Pool
      ClientName: web
      GenerateSecret: true
      ExplicitAuthFlows: [ALLOW_USER_SRP_AUTH, ALLOW_REFRESH_TOKEN_AUTH]
      PreventUserExistenceErrors: ENABLED
      AllowedOAuthFlowsUserPoolClient: true
      AllowedOAuthFlows: [code]
      AllowedOAuthScopes: [openid]
      CallbackURLs: ["https://shop.example/back"]
      RefreshTokenValidity: 12
      TokenValidityUnits: {RefreshToken: hours}
  Staff: {Type: AWS::Cognito::UserPoolGroup, Properties: {UserPoolId: !Ref Pool, GroupName: staff, Precedence: 1}}
  Domain: {Type: AWS::Cognito::UserPoolDomain, Properties: {UserPoolId: !Ref Pool, Domain: shop}}`)
  expect(config.userPools).toEqual({
    Pool: {
      id: expect.stringMatching(/^eu-central-1_[\dA-Za-z]{9}$/),
      signIn: ['email'],
      verify: ['email'],
      required: ['email'],
      immutable: ['email'],
      custom: { tenant: 'number' },
      password: { min: 10, lower: true, upper: false, digits: false, symbols: false },
      mfa: { mode: 'optional', by: ['totp'] },
      signUp: false,
      triggers: { PreSignUp: 'Work', TokenGeneration: { function: 'Work', version: 2 } },
      domain: 'shop',
      groups: { staff: { precedence: 1 } },
      clients: {
        web: {
          id: expect.stringMatching(/^[\da-z]{26}$/),
          flows: ['srp', 'refresh'],
          secret: true,
          grants: ['code'],
          scopes: ['openid'],
          callbacks: ['https://shop.example/back'],
          refresh: { days: 0.5 },
        },
      },
    },
  })
})

it('user pools verify nothing by default, as the service, and have what belongs to passkeys and sign-ins', () => {
  const poolOf = (properties: string) =>
    read(`Resources: {Pool: {Type: AWS::Cognito::UserPool, Properties: {${properties}}}}`).config.userPools!
      .Pool
  expect(poolOf('UsernameAttributes: [email]')).toMatchObject({ verify: [] })
  expect(
    poolOf(
      'WebAuthnUserVerification: required, WebAuthnFactorConfiguration: MULTI_FACTOR_WITH_USER_VERIFICATION, UserPoolAddOns: {AdvancedSecurityMode: AUDIT}',
    ),
  ).toMatchObject({ passkeys: { userVerification: 'required', bothFactors: true }, history: {} })
  expect(poolOf('UserPoolAddOns: {AdvancedSecurityMode: "OFF"}')).not.toHaveProperty('history')
  expect(() => poolOf('WebAuthnUserVerification: always')).toThrow(
    '/Resources/Pool/Properties/WebAuthnUserVerification: expected one of preferred, required, got always',
  )
})

describe('parameters', () => {
  const template = `
Parameters:
  Stage: {Type: String, AllowedValues: [dev, live]}
  Key: {Type: String, NoEcho: true, Default: secret, AllowedValues: [secret]}
Conditions: {isLive: !Equals [!Ref Stage, live]}
Resources:
  Q: {Type: AWS::SQS::Queue, Properties: {QueueName: !Sub "orders-\${Stage}"}}
  Live: {Type: AWS::SQS::Queue, Condition: isLive}
Outputs:
  Live: {Condition: isLive, Value: !Ref Live}`

  it('of a configuration that is wrong have no place in its problems, which name the property', () => {
    const { explain } = read(template, { Stage: 'live' })
    expect(explain({ pointer: '/queues/orders-live/delay', expected: 'seconds', actual: 'secret' })).toEqual({
      pointer: '/Resources/Q/Properties/DelaySeconds',
      expected: 'seconds',
      actual: '****',
    })
    expect(explain({ pointer: '/functions', expected: 'an object', actual: 'a list' })).toEqual({
      pointer: '/functions',
      expected: 'an object',
      actual: 'a list',
    })
  })

  it('have the given values', () => {
    expect(Object.keys(read(template, { Stage: 'dev' }).config.queues!)).toEqual(['orders-dev'])
    expect(Object.keys(read(template, { Stage: 'live' }).config.queues!)).toEqual(['orders-live', 'Live'])
  })

  it.each([
    [
      'no value',
      {},
      '/Parameters/Stage: expected a value: --parameter Stage=…, got neither that nor a default',
    ],
    ['a value that is not allowed', { Stage: 'x' }, '/Parameters/Stage: expected one of dev, live, got "x"'],
    [
      'a name that the template lacks',
      { Stage: 'dev', stage: 'dev' },
      '/Parameters: expected one of Stage, Key, got --parameter stage',
    ],
    [
      'a secret that is not allowed',
      { Stage: 'dev', Key: 'hidden' },
      '/Parameters/Key: expected one of secret, got another value',
    ],
  ])('with %s are an error', (_what, given, message) => {
    expect(() => read(template, given as never)).toThrow(message)
  })

  it('keep their bounds, and each element of a list has to be allowed', () => {
    const bounded = `
Parameters:
  Zones: {Type: CommaDelimitedList, AllowedValues: [a, b, c], Default: 'a, b'}
  Size: {Type: Number, MinValue: 1, MaxValue: 10, Default: 3}
  Name: {Type: String, MinLength: 2, NoEcho: true, Default: shop}
Resources:
  Q: {Type: AWS::SQS::Queue, Properties: {QueueName: !Join ['-', !Ref Zones]}}`
    expect(Object.keys(read(bounded).config.queues!)).toEqual(['a-b'])
    for (const [given, message] of [
      [{ Zones: 'a,d' }, '/Parameters/Zones: expected one of a, b, c, got "a,d"'],
      [{ Size: '11' }, '/Parameters/Size: expected a number from 1 to 10, got "11"'],
      [{ Size: 'large' }, '/Parameters/Size: expected a number, got "large"'],
      [
        { Name: 'x' },
        '/Parameters/Name: expected a text with a number of characters from 2, got another value',
      ],
    ] as const)
      expect(() => read(bounded, given as never)).toThrow(message)
  })
})

it('lists what it does not need once, by type', () => {
  const { warnings } = read(`
Resources:
  A: {Type: AWS::SQS::Queue, Properties: {KmsMasterKeyId: a, Tags: []}}
  B: {Type: AWS::SQS::Queue, Properties: {Tags: []}}
  Role: {Type: AWS::IAM::Role}
  Other: {Type: AWS::IAM::Role}
  Topic: {Type: AWS::SNS::Topic}`)
  expect(warnings).toEqual([
    { kind: 'missing', text: 'Topic (AWS::SNS::Topic) does not run here.' },
    { kind: 'ignored', text: 'AWS::SQS::Queue: KmsMasterKeyId, Tags' },
    { kind: 'ignored', text: 'AWS::IAM::Role: not needed here' },
  ])
})

it.each([
  ['[]', ': expected a template with Resources, got a list'],
  ['{"Resources": []}', '/Resources: expected an object, got a list'],
  [
    'Resources: {"../x": {Type: AWS::SQS::Queue}}',
    '/Resources/..~1x: expected a logical id of letters and digits, got ../x',
  ],
  [
    'Resources: {__proto__: {Type: AWS::SQS::Queue}}',
    'expected a logical id of letters and digits, got __proto__',
  ],
  ['Resources: {Q: {}}', '/Resources/Q/Type: expected a type such as AWS::SQS::Queue'],
  [
    'Resources: {Q: {Type: AWS::SQS::Queue, Condition: moon}}',
    '/Resources/Q/Condition: expected the name of a condition, got moon',
  ],
  [
    'Resources: {Q: {Type: AWS::SQS::Queue, Properties: {DelaySeconds: soon}}}',
    '/Resources/Q/Properties/DelaySeconds: expected a number, got "soon"',
  ],
])('the template %s is an error', (text, message) => {
  expect(() => read(text)).toThrow(message)
})
