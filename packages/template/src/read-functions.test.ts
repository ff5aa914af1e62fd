import { afterAll, describe, expect, it } from '@jest/globals'
import { templateReader } from './testing/template-reader.ts'

const reader = templateReader()
afterAll(() => reader[Symbol.dispose]())
const { kept, read, ofSam } = reader

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

  it('keep what the cloud does with asynchronous events that fail, whether SAM or CloudFormation says it', () => {
    const { config, warnings, explain } = ofSam(
      `
  Failed: {Type: AWS::SQS::Queue}
  Topic: {Type: AWS::SNS::Topic}
  F: {Type: AWS::Serverless::Function, Properties: {CodeUri: orders, Handler: index.handler, EventInvokeConfig: {MaximumRetryAttempts: 0, DestinationConfig: {OnFailure: {Type: SQS, Destination: !GetAtt Failed.Arn}}}}}
  G: {Type: AWS::Serverless::Function, Properties: {CodeUri: orders, Handler: index.handler, DeadLetterQueue: {Type: SQS, TargetArn: !GetAtt Failed.Arn}}}
  GEvents: {Type: AWS::Lambda::EventInvokeConfig, Properties: {FunctionName: !Ref G, Qualifier: $LATEST, MaximumEventAgeInSeconds: 60, DestinationConfig: {OnFailure: {Destination: arn:aws:sns:a:b:c}, OnSuccess: {Destination: arn:aws:sns:a:b:c}}}}
  GMore: {Type: AWS::Lambda::EventInvokeConfig, Properties: {FunctionName: !GetAtt G.Arn, Qualifier: '1', MaximumRetryAttempts: 1}}
  H: {Type: AWS::Serverless::Function, Properties: {CodeUri: orders, Handler: index.handler, ReservedConcurrentExecutions: 0}}`,
      'Globals: {Function: {Runtime: nodejs22.x}}',
    )
    expect(config.invoke.functions).toEqual({
      F: { maximumRetryAttempts: 0, onFailure: 'Failed' },
      G: { maximumEventAge: 60 },
    })
    expect(
      explain({ pointer: '/invoke/functions/F/maximumRetryAttempts', expected: '2', actual: '3' }),
    ).toEqual({
      pointer: '/Resources/F/Properties/EventInvokeConfig/MaximumRetryAttempts',
      expected: '2',
      actual: '3',
    })
    expect(warnings.map(({ text }) => text)).toEqual([
      'G sends failed events to no dead-letter queue here. A destination for failures gets them.',
      'H runs here, and in the cloud not: its ReservedConcurrentExecutions are 0.',
      'GEvents sends the results of events to no destination here.',
      'GEvents sends failed events nowhere: their destination is not a queue of this template.',
      'GMore has no effect: other settings are for the events of G already.',
      'Topic (AWS::SNS::Topic) does not run here.',
    ])
  })
})
