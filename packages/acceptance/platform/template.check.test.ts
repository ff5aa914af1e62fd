import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import {
  CognitoIdentityProviderClient,
  InitiateAuthCommand,
  SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { describe, expect, it } from '@jest/globals'
import { spawnCommand } from '@signalbox/platform/testing/spawned-command'
import { freePorts } from '@signalbox/platform-runtime/testing/free-port'
import { describeWith } from '@signalbox/platform-runtime/testing/installed-program'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { createTransport } from 'nodemailer'

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }

/** Writes a project with a template, and returns what clients of it need. */
async function project(files: { readonly [path: string]: string }) {
  const folder = temporaryFolder()
  const [queues, userPools, invoke, control, web] = await freePorts(5)
  const all = {
    'ports.config.mjs': `export default {
      queueListener: { port: ${queues} },
      userPoolListener: { port: ${userPools} },
      invoke: { port: ${invoke} },
      control: { port: ${control} },
    }`,
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    writeFileSync(join(folder.path, path), text.replaceAll('PORT', `${web}`))
  }
  const client = (port: number | undefined) => ({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-central-1',
    credentials,
  })
  return {
    folder: folder.path,
    web: `http://127.0.0.1:${web}`,
    sqs: new SQSClient(client(queues)),
    cognito: new CognitoIdentityProviderClient(client(userPools)),
    lambda: new LambdaClient(client(invoke)),
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]()
    },
  }
}

const noteBodies = `import { appendFileSync } from 'node:fs'
export const handler = async ({ Records }) => {
  for (const { body } of Records) appendFileSync(process.env.SEEN, body + ' ' + process.env.STAGE + '\\n')
  return { batchItemFailures: [] }
}`

const sam = (stage: string, more = '') => `
Transform: AWS::Serverless-2016-10-31
Globals: {Function: {Runtime: nodejs22.x, Timeout: 20, MemorySize: 256}}
Parameters: {Seen: {Type: String}}
Resources:
  Orders: {Type: AWS::SQS::Queue, Properties: {VisibilityTimeout: 60}}
  Note:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: note
      Handler: index.handler
      Environment: {Variables: {SEEN: !Ref Seen, STAGE: ${stage}}}
      Events: {Messages: {Type: SQS, Properties: {Queue: !GetAtt Orders.Arn, FunctionResponseTypes: [ReportBatchItemFailures]}}}
  Hello:
    Type: AWS::Serverless::Function
    Properties:
      InlineCode: |
        exports.handler = async ({ path }) => ({
          statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false,
          headers: { 'content-type': 'text/plain' }, body: 'hello ' + path,
        })
      Handler: index.handler
  Group: {Type: AWS::ElasticLoadBalancingV2::TargetGroup, Properties: {TargetType: lambda, Targets: [{Id: !GetAtt Hello.Arn}]}}
  Web:
    Type: AWS::ElasticLoadBalancingV2::Listener
    Properties: {Port: PORT, Protocol: HTTP, DefaultActions: [{Type: forward, TargetGroupArn: !Ref Group}]}
  Staff: {Type: AWS::Cognito::UserPool, Properties: {AutoVerifiedAttributes: [email]}}
  App: {Type: AWS::Cognito::UserPoolClient, Properties: {UserPoolId: !Ref Staff, ExplicitAuthFlows: [ALLOW_USER_PASSWORD_AUTH, ALLOW_REFRESH_TOKEN_AUTH]}}
  Welcome:
    Type: AWS::Serverless::Function
    Properties:
      InlineCode: |
        exports.handler = async event => ({ ...event, response: { ...event.response, autoConfirmUser: true } })
      Handler: index.handler
      Events: {PreSignUp: {Type: Cognito, Properties: {UserPool: !Ref Staff, Trigger: PreSignUp}}}
${more}
Outputs:
  Queue: {Value: !Ref Orders}
  App: {Value: !Ref App}
`

describe('signalbox dev --template', () => {
  it('runs a template of SAM for stock clients, and a saved template loses neither messages nor users', async () => {
    await using setup = await project({ 'template.yaml': sam('one'), 'note/index.mjs': noteBodies })
    const seen = join(setup.folder, 'seen.txt')
    const write = (text: string) =>
      writeFileSync(join(setup.folder, 'template.yaml'), text.replaceAll('PORT', new URL(setup.web).port))
    const args = [
      '--template',
      'template.yaml',
      '--config',
      'ports.config.mjs',
      '--parameter',
      `Seen=${seen}`,
    ]
    await using dev = spawnCommand(['dev', ...args], setup.folder, null)
    const [, QueueUrl] = await dev.prints(/^Queue = (\S+)$/m)
    const [, ClientId] = await dev.prints(/^App = (\S+)$/m)
    await dev.prints(/Watching for changes/)
    expect(await (await fetch(`${setup.web}/you`)).text()).toBe('hello /you')

    const Username = 'ann'
    const Password = 'Right-7even'
    await setup.cognito.send(
      new SignUpCommand({
        ClientId,
        Username,
        Password,
        UserAttributes: [{ Name: 'email', Value: 'ann@example.com' }],
      }),
    )
    const signIn = () =>
      setup.cognito.send(
        new InitiateAuthCommand({
          ClientId,
          AuthFlow: 'USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME: Username, PASSWORD: Password },
        }),
      )
    expect((await signIn()).AuthenticationResult?.AccessToken).toBeDefined()

    await setup.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'first' }))
    await setup.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'late', DelaySeconds: 1 }))
    write(sam('two', '  Later: {Type: AWS::SQS::Queue}'))
    await dev.prints(/Applied: \S+template\.yaml/)
    await setup.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'second' }))
    const lines = () => {
      try {
        return readFileSync(seen, 'utf8').trim().split('\n').sort()
      } catch {
        return []
      }
    }
    while (lines().length < 3) await new Promise(resolve => setTimeout(resolve, 50))
    expect(lines().map(line => line.split(' ')[0])).toEqual(['first', 'late', 'second'])
    expect(lines()).toContain('second two')
    expect((await signIn()).AuthenticationResult?.AccessToken).toBeDefined()
    const LaterUrl = QueueUrl!.replace(/Orders$/, 'Later')
    expect(
      await setup.sqs.send(new GetQueueAttributesCommand({ QueueUrl: LaterUrl, AttributeNames: ['All'] })),
    ).toHaveProperty('Attributes')

    write(sam('three').replace('VisibilityTimeout: 60', 'VisibilityTimeout: soon'))
    await dev.prints(
      /template\.yaml cannot be applied\. [^\n]*\n\/Resources\/Orders\/Properties\/VisibilityTimeout: expected a number, was "soon"/,
    )
    expect(await (await fetch(`${setup.web}/again`)).text()).toBe('hello /again')
    dev.process.kill('SIGINT')
    expect(await dev.exit).toMatchObject({ code: 0, printedErrors: '' })
  })

  it('calls the function of a receipt rule with mail that a stock client sends', async () => {
    const [smtp, control, invoke] = await freePorts(3)
    const template = `
Resources:
  Sort:
    Type: AWS::Lambda::Function
    Properties:
      Runtime: nodejs22.x
      Timeout: 10
      Handler: index.handler
      Code:
        ZipFile: |
          exports.handler = async ({ subject }) => ({
            actions: [{ action: { type: subject === 'offer' ? 'DROP' : 'DEFAULT' }, allRecipients: true }],
          })
  Set: {Type: AWS::SES::ReceiptRuleSet}
  Rule:
    Type: AWS::SES::ReceiptRule
    Properties:
      RuleSetName: !Ref Set
      Rule:
        Enabled: true
        Recipients: [ann@office.example]
        Actions: [{LambdaAction: {FunctionArn: !GetAtt Sort.Arn, InvocationType: RequestResponse}}, {StopAction: {Scope: RuleSet}}]
`
    const ports = `export default { mail: { port: ${smtp} }, control: { port: ${control} }, invoke: { port: ${invoke} } }`
    await using setup = await project({
      'template.yaml': template,
      'ports.config.mjs': ports,
    })
    await using dev = spawnCommand(
      ['dev', '--template', 'template.yaml', '--config', 'ports.config.mjs'],
      setup.folder,
      null,
    )
    await dev.prints(/Watching for changes/)
    const transport = createTransport({ host: '127.0.0.1', port: smtp!, ignoreTLS: true })
    const send = (to: string, subject: string) =>
      transport.sendMail({ from: 'bob@far.example', to, subject, text: subject })
    await send('ann@office.example', 'offer')
    await send('ann@office.example', 'hello')
    await expect(send('carl@office.example', 'hello')).rejects.toThrow(/550/)
    await dev.prints(/"offer" → ann@office.example: drop/)
    await dev.prints(/"hello" → ann@office.example: deliver/)
    transport.close()
  }, 60_000)

  it('runs on as it was when a saved template needs a port in use, and says where a port has moved', async () => {
    const listener = (port: string) => `
Resources:
  Hello: {Type: AWS::Lambda::Function, Properties: {Runtime: nodejs22.x, Handler: index.handler, Timeout: 20, Code: {ZipFile: "exports.handler = async () => ({ statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, headers: {}, body: 'hello' })"}}}
  Group: {Type: AWS::ElasticLoadBalancingV2::TargetGroup, Properties: {TargetType: lambda, Targets: [{Id: !GetAtt Hello.Arn}]}}
  Web: {Type: AWS::ElasticLoadBalancingV2::Listener, Properties: {Port: ${port}, DefaultActions: [{Type: forward, TargetGroupArn: !Ref Group}]}}`
    await using setup = await project({ 'template.yaml': listener('PORT') })
    const write = (port: string) => writeFileSync(join(setup.folder, 'template.yaml'), listener(port))
    const occupied = createServer()
    await new Promise<void>(resolve => occupied.listen(0, '127.0.0.1', () => resolve()))
    await using _ = { [Symbol.asyncDispose]: async () => void occupied.close() }
    await using dev = spawnCommand(
      ['dev', '--template', 'template.yaml', '--config', 'ports.config.mjs'],
      setup.folder,
      null,
    )
    await dev.prints(/Watching for changes/)
    write(String((occupied.address() as { port: number }).port))
    await dev.prints(/template\.yaml cannot be applied\. The load balancer Web cannot start/)
    const [moved] = await freePorts(1)
    write(String(moved))
    await dev.prints(new RegExp(`load balancer Web: http://127.0.0.1:${moved}\\b.*Applied: `, 's'))
    expect(await (await fetch(`http://127.0.0.1:${moved}`)).text()).toBe('hello')
    write(new URL(setup.web).port)
    // The link of the platform before does not open the console any more.
    await dev.prints(/(?:#token=.*){4}Applied: /s)
    expect(await (await fetch(setup.web)).text()).toBe('hello')
    writeFileSync(join(setup.folder, 'ports.config.mjs'), 'export default {}')
    await dev.prints(/ports\.config\.mjs has changed\. Restart signalbox to apply it\./)
  })

  describeWith(['python3'], describe, 'with functions in Python', () => {
    it('runs a stack that CDK has synthesized', async () => {
      const stack = {
        Resources: {
          GreetFn1234ABCD: {
            Type: 'AWS::Lambda::Function',
            Properties: {
              Code: {
                S3Bucket: { 'Fn::Sub': 'cdk-assets-${AWS::AccountId}-${AWS::Region}' },
                S3Key: 'abc.zip',
              },
              Handler: 'app.handler',
              Runtime: 'python3.13',
              Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
              Timeout: 20,
            },
            Metadata: { 'aws:asset:path': 'asset.abc', 'aws:asset:property': 'Code' },
          },
          Role: { Type: 'AWS::IAM::Role', Properties: {} },
          CDKMetadata: { Type: 'AWS::CDK::Metadata', Condition: 'CDKMetadataAvailable' },
        },
        Conditions: { CDKMetadataAvailable: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'us-east-1'] } },
        Parameters: {
          BootstrapVersion: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/cdk-bootstrap/version' },
        },
      }
      const artifacts = {
        Greeting: {
          type: 'aws:cloudformation:stack',
          properties: { templateFile: 'Greeting.template.json' },
        },
        'Greeting.assets': { type: 'cdk:asset-manifest' },
      }
      await using setup = await project({
        'cdk.out/manifest.json': JSON.stringify({ version: '48.0.0', artifacts }),
        'cdk.out/Greeting.template.json': JSON.stringify(stack),
        'cdk.out/asset.abc/app.py':
          'def handler(event, context):\n    return {"greeting": "hello " + event["name"]}\n',
      })
      await using dev = spawnCommand(
        ['dev', '--template', 'cdk.out', '--config', 'ports.config.mjs'],
        setup.folder,
        null,
      )
      await dev.prints(/Watching for changes/)
      const answer = await setup.lambda.send(
        new InvokeCommand({ FunctionName: 'GreetFn1234ABCD', Payload: JSON.stringify({ name: 'Ada' }) }),
      )
      expect(JSON.parse(answer.Payload!.transformToString())).toEqual({ greeting: 'hello Ada' })
    })
  })
})

describe('signalbox import and check', () => {
  it('say what runs, and write a configuration that does the same', async () => {
    await using setup = await project({
      'template.yaml': sam('one', '  Table: {Type: AWS::DynamoDB::Table}'),
      'note/index.mjs': noteBodies,
    })
    const checked = spawnCommand(
      ['check', '--template', 'template.yaml', '--parameter', 'Seen=x'],
      setup.folder,
    )
    expect(await checked.exit).toMatchObject({
      code: 1,
      printed: expect.stringMatching(
        /^functions: Note, Hello, Welcome\nqueues: Orders\nuserPools: Staff\nloadBalancers: Web\nTable \(AWS::DynamoDB::Table\) does not run here\./,
      ),
    })
    const imported = spawnCommand(['import', 'template.yaml', '--parameter', 'Seen=x'], setup.folder)
    expect(await imported.exit).toMatchObject({
      code: 0,
      printed: expect.stringContaining('Wrote signalbox.config.ts.'),
    })
    const text = readFileSync(join(setup.folder, 'signalbox.config.ts'), 'utf8')
    expect(text).toContain("Hello: {\n      module: './inline/Hello/index.cjs',")
    const inline = join(setup.folder, 'inline/Hello/index.cjs')
    writeFileSync(inline, '// Mine.')
    const again = spawnCommand(['import', 'template.yaml', '--parameter', 'Seen=x'], setup.folder)
    expect(await again.exit).toMatchObject({
      code: 2,
      printedErrors: expect.stringContaining('signalbox.config.ts is there already'),
    })
    expect(readFileSync(inline, 'utf8')).toBe('// Mine.')
    const alone = spawnCommand(['dev', '--parameter', 'Seen=x'], setup.folder)
    expect(await alone.exit).toMatchObject({
      code: 2,
      printedErrors: expect.stringContaining('--parameter needs --template FILE.'),
    })
  })
})
