import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { readTemplate } from './index.ts'

const folder = temporaryFolder()
afterAll(() => folder[Symbol.dispose]())
for (const path of [
  'orders/index.mjs',
  'orders/bootstrap',
  'web/src/app.ts',
  'web/src/app.js',
  'mail/handler.cjs',
  'asset.abc/index.js',
  'py/app.py',
]) {
  mkdirSync(dirname(join(folder.path, path)), { recursive: true })
  writeFileSync(join(folder.path, path), '')
}

const kept: (readonly [string, string, string | Uint8Array])[] = []
const read = (text: string, parameters: { readonly [name: string]: string } = {}) =>
  readTemplate(text, {
    root: folder.path,
    template: folder.path,
    python: from => ['python3', `${from === join(folder.path, 'py') ? '' : 'wrong/'}runtime.py`],
    keep(id, file, code) {
      kept.push([id, file, code])
      const path = join(folder.path, 'kept', id)
      mkdirSync(path, { recursive: true })
      return path
    },
    parameters,
    region: 'eu-central-1',
    account: '123456789012',
    stack: 'shop',
  })

const ofSam = (resources: string, rest = '') =>
  read(`Transform: AWS::Serverless-2016-10-31\n${rest}\nResources:\n${resources}`)

describe('functions', () => {
  it('have the code, the limits and the variables of the template, and find the platform', () => {
    const { config, warnings } = ofSam(
      `
  Orders:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: ./orders
      Handler: index.handler
      MemorySize: 512
      Environment: {Variables: {B: 2, C: !Ref AWS::AccountId}}`,
      'Globals: {Function: {Runtime: nodejs22.x, Timeout: 20, Environment: {Variables: {A: "1", B: "0"}}}}',
    )
    const { Orders } = config.functions
    expect(Orders).toMatchObject({ module: './orders/index.mjs', dialect: 'aws', memory: 512, timeout: 20 })
    expect(Orders!.env).toMatchObject({
      AWS_REGION: 'eu-central-1',
      AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9324',
      A: '1',
      B: '2',
      C: '123456789012',
    })
    expect(warnings).toEqual([])
  })

  it('have the defaults of the service', () => {
    const { config } = ofSam(
      '  F: {Type: AWS::Serverless::Function, Properties: {CodeUri: orders, Handler: index.run, Runtime: nodejs22.x}}',
    )
    expect(config.functions.F).toMatchObject({ timeout: 3, memory: 128, export: 'run' })
  })

  it('have the isolation of tenants, and are durable', () => {
    const { config, warnings } = ofSam(
      '  F: {Type: AWS::Serverless::Function, Properties: {CodeUri: orders, Handler: index.handler, Runtime: nodejs22.x, TenancyConfig: {TenantIsolationMode: PER_TENANT}, DurableConfig: {ExecutionTimeout: 60, RetentionPeriodInDays: 7}}}',
    )
    expect(config.functions.F).toMatchObject({
      ...{ tenancy: 'isolated', durable: { timeout: 60, retention: 7 } },
    })
    expect(warnings).toEqual([])
  })

  it('run the source from which the template would build them', () => {
    const { config } = ofSam(`
  Web:
    Type: AWS::Serverless::Function
    Metadata: {BuildMethod: esbuild, BuildProperties: {EntryPoints: [src/app.ts]}}
    Properties: {CodeUri: web, Handler: app.handler, Runtime: nodejs22.x}`)
    expect(config.functions.Web).toMatchObject({ module: './web/src/app.ts' })
  })

  it('run in Python, as a program of their own, from the template itself, and from assets of CDK', () => {
    const { config } = read(`
Resources:
  Py: {Type: AWS::Lambda::Function, Properties: {Code: py, Handler: app.handler, Runtime: python3.12}}
  Own: {Type: AWS::Lambda::Function, Properties: {Code: orders, Handler: bootstrap, Runtime: provided.al2023}}
  Inline: {Type: AWS::Lambda::Function, Properties: {Code: {ZipFile: "x = 1"}, Handler: index.handler, Runtime: python3.12}}
  Asset:
    Type: AWS::Lambda::Function
    Properties: {Code: {S3Bucket: !Sub "cdk-\${AWS::AccountId}", S3Key: abc.zip}, Handler: index.handler, Runtime: nodejs22.x}
    Metadata: {"aws:asset:path": asset.abc, "aws:asset:property": Code}`)
    expect(config.functions).toMatchObject({
      Py: { command: ['python3', 'runtime.py'], export: 'app.handler', cwd: './py' },
      Own: { command: ['./bootstrap'], cwd: './orders' },
      Inline: { command: ['python3', 'wrong/runtime.py'], cwd: './kept/Inline' },
      Asset: { module: './asset.abc/index.js' },
    })
    expect(kept).toEqual([['Inline', 'index.py', 'x = 1']])
  })

  it.each([
    [
      'a runtime that is not here',
      'Runtime: java21, Code: orders, Handler: a.b',
      'F does not run: there is no java21 here.',
    ],
    [
      'a container image',
      'PackageType: Image, Code: {ImageUri: x}',
      'F does not run: container images do not run here.',
    ],
    [
      'code in the cloud',
      'Runtime: nodejs22.x, Handler: a.b, Code: {S3Bucket: a, S3Key: b}',
      'F does not run: its code is not in a folder of this machine.',
    ],
    [
      'code that is not built',
      'Runtime: nodejs22.x, Handler: a.b, Code: orders',
      'F does not run: there is no a.js, .mjs, .cjs or .ts in ./orders. Build it first.',
    ],
  ])('do not run with %s, and the warning says why', (_what, properties, text) => {
    const { config, warnings } = read(
      `Resources: {F: {Type: AWS::Lambda::Function, Properties: {${properties}}}}`,
    )
    expect(config.functions).toEqual({})
    expect(warnings.map(warning => warning.text).join('\n')).toContain(text)
  })

  it('lack the variables that only the cloud knows, and the warning says which', () => {
    const { config, warnings } = read(`
Resources:
  Table: {Type: AWS::DynamoDB::Table}
  F:
    Type: AWS::Lambda::Function
    Properties: {Runtime: nodejs22.x, Code: orders, Handler: index.handler, Environment: {Variables: {TABLE: !Ref Table, A: b}}}`)
    expect(config.functions.F!.env).toMatchObject({ A: 'b' })
    expect(config.functions.F!.env).not.toHaveProperty('TABLE')
    expect(warnings.map(({ text }) => text)).toEqual([
      'F has no TABLE here: Table (AWS::DynamoDB::Table) does not exist here.',
      'Table (AWS::DynamoDB::Table) does not run here.',
    ])
  })
})

const worker =
  '  Work: {Type: AWS::Lambda::Function, Properties: {Runtime: nodejs22.x, Code: orders, Handler: index.handler}}'

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

it('load balancers listen for the functions of their target groups, on a port that a user may use', () => {
  const { config, outputs } = read(`
Resources:
${worker}
  Alb: {Type: AWS::ElasticLoadBalancingV2::LoadBalancer}
  Group:
    Type: AWS::ElasticLoadBalancingV2::TargetGroup
    Properties:
      TargetType: lambda
      Targets: [{Id: !GetAtt Work.Arn}]
      TargetGroupAttributes: [{Key: lambda.multi_value_headers.enabled, Value: "true"}]
  Listener:
    Type: AWS::ElasticLoadBalancingV2::Listener
    Properties:
      LoadBalancerArn: !Ref Alb
      Port: 80
      DefaultActions: [{Type: forward, ForwardConfig: {TargetGroups: [{TargetGroupArn: !Ref Group}]}}]
Outputs: {Url: {Value: !Sub "http://\${Alb.DNSName}/"}}`)
  expect(config.loadBalancers).toEqual({
    Listener: {
      port: 8080,
      function: 'Work',
      multiValueHeaders: true,
      targetGroupArn: expect.stringMatching(
        /^arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup\/Group\//,
      ),
    },
  })
  expect(outputs).toEqual({ Url: 'http://127.0.0.1:8080/' })
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

it('a rule of which only the cloud knows a condition answers 501, and lets no request in', () => {
  const rule = (conditions: string) => {
    const { config, warnings } = read(`
Parameters: {Office: {Type: 'AWS::SSM::Parameter::Value<String>', Default: /office}}
Resources:
${worker}
  Group: {Type: AWS::ElasticLoadBalancingV2::TargetGroup, Properties: {TargetType: lambda, Targets: [{Id: !GetAtt Work.Arn}]}}
  Listener: {Type: AWS::ElasticLoadBalancingV2::Listener, Properties: {Port: 8080, DefaultActions: [{Type: forward, TargetGroupArn: !Ref Group}]}}
  Rule:
    Type: AWS::ElasticLoadBalancingV2::ListenerRule
    Properties:
      ListenerArn: !Ref Listener
      Priority: 1
      Conditions: ${conditions}
      Actions: [{Type: forward, TargetGroupArn: !Ref Group}]`)
    expect(warnings.map(({ text }) => text)).toContain(
      'Rule answers 501, because only the cloud knows what requests it is for.',
    )
    const { rules } = config.loadBalancers!.Listener as { rules: object[] }
    return rules
  }
  const respond = { status: 501, body: 'A condition of this rule is not known here.' }
  const source = '{Field: source-ip, SourceIpConfig: {Values: [!Ref Office]}}'
  expect(rule(`[${source}]`)).toEqual([{ path: ['*'], respond }])
  expect(rule(`[{Field: path-pattern, Values: [/a]}, ${source}]`)).toEqual([{ path: ['/a'], respond }])
  expect(rule('[{Field: path-pattern, Values: []}]')).toEqual([{ path: ['*'], respond }])
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

it('load balancers have the rules of their listener, in the order of their priorities', () => {
  const { config, warnings } = read(`
Resources:
${worker}
  Group: {Type: AWS::ElasticLoadBalancingV2::TargetGroup, Properties: {TargetType: lambda, Targets: [{Id: !GetAtt Work.Arn}]}}
  Listener:
    Type: AWS::ElasticLoadBalancingV2::Listener
    Properties: {Port: 8080, DefaultActions: [{Type: fixed-response, FixedResponseConfig: {StatusCode: "404", ContentType: text/plain, MessageBody: none}}]}
  Late:
    Type: AWS::ElasticLoadBalancingV2::ListenerRule
    Properties:
      ListenerArn: !Ref Listener
      Priority: 20
      Conditions:
        - {Field: http-header, HttpHeaderConfig: {HttpHeaderName: x-a, Values: [b]}}
        - {Field: query-string, QueryStringConfig: {Values: [{Key: k, Value: v*}]}}
      Actions: [{Type: redirect, RedirectConfig: {StatusCode: HTTP_301, Protocol: HTTPS, Port: "443"}}]
  Early:
    Type: AWS::ElasticLoadBalancingV2::ListenerRule
    Properties:
      ListenerArn: !Ref Listener
      Priority: 3
      Conditions: [{Field: path-pattern, Values: [/api/*]}, {Field: host-header, HostHeaderConfig: {Values: [a.example]}}]
      Actions: [{Type: forward, TargetGroupArn: !Ref Group}]
  SignIn:
    Type: AWS::ElasticLoadBalancingV2::ListenerRule
    Properties:
      ListenerArn: !Ref Listener
      Priority: 1
      Conditions: [{Field: path-pattern, Values: [/in]}]
      Actions: [{Type: authenticate-oidc, Order: 1}, {Type: forward, TargetGroupArn: !Ref Group, Order: 2}]`)
  expect(config.loadBalancers).toEqual({
    Listener: {
      port: 8080,
      respond: { status: 404, contentType: 'text/plain', body: 'none' },
      rules: [
        { path: ['/in'], respond: { status: 501, body: 'authenticate-oidc does not run here.' } },
        {
          path: ['/api/*'],
          host: ['a.example'],
          function: 'Work',
          targetGroupArn: expect.stringContaining(':targetgroup/Group/'),
        },
        {
          headers: { 'x-a': ['b'] },
          query: [{ key: 'k', value: 'v*' }],
          redirect: { status: 301, protocol: 'https', port: '443' },
        },
      ],
    },
  })
  expect(warnings).toContainEqual({
    kind: 'missing',
    text: 'SignIn has no authenticate-oidc action here, and so answers 501.',
  })
})

it('load balancers have users sign in, check tokens, keep clients with a function and rewrite as their rules say', () => {
  const rule = (name: string, priority: number, properties: string) => `
  ${name}:
    Type: AWS::ElasticLoadBalancingV2::ListenerRule
    Properties:
      ListenerArn: !Ref Listener
      Priority: ${priority}
      Conditions: [{Field: path-pattern, Values: [/${name}]}]
${properties}`
  const { config, warnings } = read(`
Resources:
${worker}
  Pool: {Type: AWS::Cognito::UserPool}
  Web:
    Type: AWS::Cognito::UserPoolClient
    Properties: {UserPoolId: !Ref Pool, GenerateSecret: true, AllowedOAuthFlowsUserPoolClient: true, AllowedOAuthFlows: [code], AllowedOAuthScopes: [openid], CallbackURLs: [https://shop.example/oauth2/idpresponse]}
  Group: {Type: AWS::ElasticLoadBalancingV2::TargetGroup, Properties: {TargetType: lambda, Targets: [{Id: !GetAtt Work.Arn}]}}
  Listener:
    Type: AWS::ElasticLoadBalancingV2::Listener
    Properties: {Port: 8080, DefaultActions: [{Type: forward, TargetGroupArn: !Ref Group}]}
${rule('pool', 1, '      Actions: [{Type: forward, Order: 2, TargetGroupArn: !Ref Group}, {Type: authenticate-cognito, Order: 1, AuthenticateCognitoConfig: {UserPoolArn: !GetAtt Pool.Arn, UserPoolClientId: !Ref Web, UserPoolDomain: shop, SessionTimeout: "3600", OnUnauthenticatedRequest: deny}}]')}
${rule('provider', 2, '      Actions: [{Type: authenticate-oidc, AuthenticateOidcConfig: {Issuer: "https://id.example", AuthorizationEndpoint: "https://id.example/a", TokenEndpoint: "https://id.example/t", UserInfoEndpoint: "https://id.example/u", ClientId: shop, ClientSecret: secret, AuthenticationRequestExtraParams: {prompt: login}}}, {Type: forward, TargetGroupArn: !Ref Group}]')}
${rule('token', 3, '      Actions: [{Type: jwt-validation, JwtValidationConfig: {Issuer: "https://id.example", JwksEndpoint: "https://id.example/keys", AdditionalClaims: [{Name: scope, Format: space-separated-values, Values: [read]}]}}, {Type: forward, TargetGroupArn: !Ref Group}]')}
${rule('sticky', 4, '      Actions: [{Type: forward, ForwardConfig: {TargetGroups: [{TargetGroupArn: !Ref Group, Weight: 1}, {TargetGroupArn: !Ref Group, Weight: 2}], TargetGroupStickinessConfig: {Enabled: true, DurationSeconds: 60}}}]')}
${rule('rewritten', 5, '      Actions: [{Type: forward, TargetGroupArn: !Ref Group}]\n      Transforms: [{Type: url-rewrite, UrlRewriteConfig: {Rewrites: [{Regex: "^/rewritten", Replace: /}]}}]')}
${rule('elsewhere', 6, '      Actions: [{Type: authenticate-cognito, AuthenticateCognitoConfig: {UserPoolArn: "arn:aws:cognito-idp:eu-west-1:123456789012:userpool/eu-west-1_other", UserPoolClientId: x, UserPoolDomain: y}}, {Type: forward, TargetGroupArn: !Ref Group}]')}`)
  expect(config.loadBalancers).toMatchObject({
    Listener: {
      rules: [
        {
          ...{ path: ['/pool'], function: 'Work' },
          authenticate: {
            pool: 'Pool',
            client: 'Web',
            sessionTimeout: 3600,
            onUnauthenticatedRequest: 'deny',
          },
        },
        {
          authenticate: {
            ...{ issuer: 'https://id.example', clientId: 'shop', clientSecret: 'secret' },
            authorizationEndpoint: 'https://id.example/a',
            tokenEndpoint: 'https://id.example/t',
            ...{ userInfoEndpoint: 'https://id.example/u', parameters: { prompt: 'login' } },
          },
        },
        {
          validateJwt: {
            ...{ issuer: 'https://id.example', keys: 'https://id.example/keys' },
            claims: [{ name: 'scope', format: 'words', values: ['read'] }],
          },
        },
        { sticky: 60, forward: [{ weight: 1 }, { weight: 2 }] },
        { rewrite: { path: { regex: '^/rewritten', replace: '/' } } },
        { path: ['/elsewhere'], respond: { status: 501, body: 'authenticate-cognito does not run here.' } },
      ],
    },
  })
  expect(config.userPools).toMatchObject({
    Pool: {
      clients: {
        Web: {
          callbacks: [
            'https://shop.example/oauth2/idpresponse',
            'http://127.0.0.1:8080/oauth2/idpresponse',
            'http://localhost:8080/oauth2/idpresponse',
          ],
        },
      },
    },
  })
  expect(warnings.map(({ text }) => text)).toContain(
    'elsewhere has no authenticate-cognito action here, and so answers 501.',
  )
})
