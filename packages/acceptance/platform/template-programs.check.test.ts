import {
  InitiateAuthCommand,
  RespondToAuthChallengeCommand,
  SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { InvokeCommand } from '@aws-sdk/client-lambda'
import { GetQueueAttributesCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import { describe, expect, it } from '@jest/globals'
import { freePorts } from '@signalbox/platform-runtime/testing/free-port'
import { runTemplate } from './testing/template-platform.ts'

type Running = Awaited<ReturnType<typeof runTemplate>>

/** A function of SAM with its code in the template. */
const sam = (code: string, more = '') => `
    Type: AWS::Serverless::Function
    Properties:
      Runtime: nodejs22.x
      Handler: index.handler
      Timeout: 20
      MemorySize: 256
      InlineCode: |
        ${code}
${more}`
const echo = 'exports.handler = async event => ({ event, word: process.env.WORD ?? null })'
const forward = `exports.handler = async ({ Records }) => { for (const { body } of Records) await fetch(process.env.AWS_ENDPOINT_URL_SQS, { method: 'POST', headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' }, body: JSON.stringify({ QueueUrl: process.env.NEXT, MessageBody: 'done ' + body }) }); return { batchItemFailures: [] } }`
const fail = "exports.handler = async () => { throw new Error('No.') }"
const web =
  "exports.handler = async ({ path }) => ({ statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, headers: {}, body: process.env.WORD + path })"
const challenge =
  "exports.handler = async event => { const { triggerSource, request, response } = event; const last = request.session?.at(-1); if (triggerSource.startsWith('PreSignUp')) response.autoConfirmUser = true; else if (triggerSource.startsWith('Define')) Object.assign(response, { issueTokens: last?.challengeResult === true, failAuthentication: last?.challengeResult === false, ...(last === undefined && { challengeName: 'CUSTOM_CHALLENGE' }) }); else if (triggerSource.startsWith('Create')) Object.assign(response, { publicChallengeParameters: { hint: 'three' }, privateChallengeParameters: { answer: 'three' } }); else response.answerCorrect = request.challengeAnswer === request.privateChallengeParameters.answer; return event }"
const cookies =
  "exports.handler = async event => ({ statusCode: event.multiValueQueryStringParameters.a.length === 2 ? 200 : 500, statusDescription: '200 OK', isBase64Encoded: false, multiValueHeaders: { 'set-cookie': ['one=1', 'two=2'] }, body: '' })"
const transform = 'Transform: AWS::Serverless-2016-10-31\n'

async function invoke({ lambda }: Running, FunctionName: string, payload: object = {}): Promise<unknown> {
  const answer = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(payload) }))
  return JSON.parse(answer.Payload!.transformToString())
}

const passesOn = async ({ send, receive, outputs }: Running) => {
  await send(outputs.In!, 'a')
  expect(await receive(outputs.Out!)).toBe('done a')
}

const outputs = 'Outputs: {In: {Value: !Ref In}, Out: {Value: !Ref Out}}'
const queues =
  '  In: {Type: AWS::SQS::Queue, Properties: {VisibilityTimeout: 60}}\n  Out: {Type: AWS::SQS::Queue}\n'
const next = '      Environment: {Variables: {NEXT: !Ref Out}}\n'
const balancer = (actions: string) => `
  Group: {Type: AWS::ElasticLoadBalancingV2::TargetGroup, Properties: {TargetType: lambda, Targets: [{Id: !GetAtt F.Arn}]}}
  Http: {Type: AWS::ElasticLoadBalancingV2::Listener, Properties: {Port: PORT, Protocol: HTTP, DefaultActions: ${actions}}}`
const forwards = '[{Type: forward, TargetGroupArn: !Ref Group}]'
const environment = (word: string) => `      Environment: {Variables: {WORD: ${word}}}\n`

const programs: readonly (readonly [
  what: string,
  template: string,
  use: (running: Running, url: string) => Promise<void>,
])[] = [
  [
    'a function with settings for all functions',
    `${transform}Globals: {Function: {Environment: {Variables: {WORD: all}}}}\nResources:\n  F:${sam(echo)}`,
    async running => expect(await invoke(running, 'F', { a: 1 })).toEqual({ event: { a: 1 }, word: 'all' }),
  ],
  [
    'a stage by a parameter and a mapping',
    `${transform}Parameters: {Stage: {Type: String, Default: live}}\nMappings: {Words: {live: {word: loud}, dev: {word: low}}}\nResources:\n  F:${sam(echo, environment('!FindInMap [Words, !Ref Stage, word]'))}`,
    async running => expect(await invoke(running, 'F')).toMatchObject({ word: 'loud' }),
  ],
  [
    'a condition that leaves out a function',
    `${transform}Parameters: {Stage: {Type: String, Default: dev}}\nConditions: {isLive: !Equals [!Ref Stage, live]}\nResources:\n  F:${sam(echo, environment('!If [isLive, yes, no]'))}\n  G: {Type: AWS::Serverless::Function, Condition: isLive}`,
    async running => {
      expect(await invoke(running, 'F')).toMatchObject({ word: 'no' })
      await expect(invoke(running, 'G')).rejects.toThrow()
    },
  ],
  [
    'a worker with an event of SAM',
    `${transform}Resources:\n${queues}  F:${sam(forward, `${next}      Events: {In: {Type: SQS, Properties: {Queue: !GetAtt In.Arn, FunctionResponseTypes: [ReportBatchItemFailures]}}}\n`)}${outputs}`,
    passesOn,
  ],
  [
    'a worker with a mapping of CloudFormation',
    `${transform}Resources:\n${queues}  F:${sam(forward, next)}  M: {Type: AWS::Lambda::EventSourceMapping, Properties: {EventSourceArn: !GetAtt In.Arn, FunctionName: !GetAtt F.Arn, BatchSize: 1}}\n${outputs}`,
    passesOn,
  ],
  [
    'a filter that lets only some messages through',
    `${transform}Resources:\n${queues}  F:${sam(forward, `${next}      Events: {In: {Type: SQS, Properties: {Queue: !GetAtt In.Arn, FilterCriteria: {Filters: [{Pattern: '{"body":{"kind":["new"]}}'}]}}}}\n`)}${outputs}`,
    async ({ send, receive, outputs: { In, Out } }) => {
      await send(In!, '{"kind":"old"}')
      await send(In!, '{"kind":"new"}')
      expect(await receive(Out!)).toBe('done {"kind":"new"}')
    },
  ],
  [
    'a dead-letter queue for what always fails',
    `${transform}Resources:\n  Out: {Type: AWS::SQS::Queue}\n  In: {Type: AWS::SQS::Queue, Properties: {VisibilityTimeout: 1, RedrivePolicy: {deadLetterTargetArn: !GetAtt Out.Arn, maxReceiveCount: 1}}}\n  F:${sam(fail).replace('Timeout: 20', 'Timeout: 1')}      Events: {In: {Type: SQS, Properties: {Queue: !GetAtt In.Arn}}}\n${outputs}`,
    async ({ send, receive, outputs: { In, Out } }) => {
      await send(In!, 'poison')
      expect(await receive(Out!)).toBe('poison')
    },
  ],
  [
    'queues of a loop',
    `Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::Queues: [Name, [Orders, Mails], {"\${Name}": {Type: AWS::SQS::Queue, Properties: {DelaySeconds: 1}}}]\nOutputs: {In: {Value: !Ref Mails}}`,
    async ({ sqs, outputs: { In } }) => {
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: In, AttributeNames: ['DelaySeconds'] }),
      )
      expect(Attributes).toEqual({ DelaySeconds: '1' })
    },
  ],
  [
    'an HTTP function behind a listener',
    `${transform}Resources:\n  F:${sam(web, environment('hello'))}${balancer(forwards)}`,
    async (_, url) => expect(await (await fetch(`${url}/you`)).text()).toBe('hello/you'),
  ],
  [
    'a rule by path, and an answer for all else',
    `${transform}Resources:\n  F:${sam(web, environment('api'))}${balancer("[{Type: fixed-response, FixedResponseConfig: {StatusCode: '404'}}]")}
  Rule: {Type: AWS::ElasticLoadBalancingV2::ListenerRule, Properties: {ListenerArn: !Ref Http, Priority: 1, Conditions: [{Field: path-pattern, Values: [/api/*]}], Actions: ${forwards}}}`,
    async (_, url) => {
      expect(await (await fetch(`${url}/api/x`)).text()).toBe('api/api/x')
      expect((await fetch(`${url}/`)).status).toBe(404)
    },
  ],
  [
    'a rule that only the cloud can decide, which lets nothing in',
    `${transform}Parameters: {Office: {Type: 'AWS::SSM::Parameter::Value<String>', Default: /office}}\nResources:\n  F:${sam(web, environment('in'))}${balancer("[{Type: fixed-response, FixedResponseConfig: {StatusCode: '403'}}]")}
  Rule: {Type: AWS::ElasticLoadBalancingV2::ListenerRule, Properties: {ListenerArn: !Ref Http, Priority: 1, Conditions: [{Field: path-pattern, Values: [/a]}, {Field: source-ip, SourceIpConfig: {Values: [!Ref Office]}}], Actions: ${forwards}}}`,
    async (_, url) => {
      expect((await fetch(`${url}/a`)).status).toBe(501)
      expect((await fetch(`${url}/b`)).status).toBe(403)
    },
  ],
  [
    'a user pool with a trigger of SAM, and a program that signs in',
    `${transform}Resources:\n  Pool: {Type: AWS::Cognito::UserPool}\n  App: {Type: AWS::Cognito::UserPoolClient, Properties: {UserPoolId: !Ref Pool, ExplicitAuthFlows: [ALLOW_USER_PASSWORD_AUTH, ALLOW_REFRESH_TOKEN_AUTH]}}\n  F:${sam('exports.handler = async event => ({ ...event, response: { ...event.response, autoConfirmUser: true } })', '      Events: {In: {Type: Cognito, Properties: {UserPool: !Ref Pool, Trigger: PreSignUp}}}\n')}Outputs: {App: {Value: !Ref App}}`,
    async ({ cognito, outputs: { App: ClientId } }) => {
      const [Username, Password] = ['ann', 'Right-7even']
      await cognito.send(new SignUpCommand({ ClientId, Username, Password }))
      const AuthParameters = { USERNAME: Username, PASSWORD: Password }
      const { AuthenticationResult } = await cognito.send(
        new InitiateAuthCommand({ ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters }),
      )
      expect(AuthenticationResult?.AccessToken).toBeDefined()
    },
  ],
  [
    'a FIFO queue with a message that is sent twice',
    `${transform}Resources:\n  Out: {Type: AWS::SQS::Queue}\n  In: {Type: AWS::SQS::Queue, Properties: {FifoQueue: true, ContentBasedDeduplication: true, VisibilityTimeout: 60}}\n  F:${sam(forward, `${next}      Events: {In: {Type: SQS, Properties: {Queue: !GetAtt In.Arn}}}\n`)}${outputs}`,
    async ({ sqs, receive, outputs: { In, Out } }) => {
      expect(In).toMatch(/\.fifo$/)
      for (const MessageBody of ['a', 'a', 'b'])
        await sqs.send(new SendMessageCommand({ QueueUrl: In!, MessageBody, MessageGroupId: 'one' }))
      expect([await receive(Out!), await receive(Out!)].sort()).toEqual(['done a', 'done b'])
    },
  ],
  [
    'a challenge of its own by triggers of CloudFormation',
    `${transform}Resources:\n  Pool: {Type: AWS::Cognito::UserPool, Properties: {LambdaConfig: {PreSignUp: !GetAtt F.Arn, DefineAuthChallenge: !GetAtt F.Arn, CreateAuthChallenge: !GetAtt F.Arn, VerifyAuthChallengeResponse: !GetAtt F.Arn}}}\n  App: {Type: AWS::Cognito::UserPoolClient, Properties: {UserPoolId: !Ref Pool, ExplicitAuthFlows: [ALLOW_CUSTOM_AUTH, ALLOW_REFRESH_TOKEN_AUTH]}}\n  F:${sam(challenge)}Outputs: {App: {Value: !Ref App}}`,
    async ({ cognito, outputs: { App: ClientId } }) => {
      const Username = 'ann'
      await cognito.send(new SignUpCommand({ ClientId, Username, Password: 'Right-7even' }))
      const answered = async (ANSWER: string) => {
        const { ChallengeName, Session, ChallengeParameters } = await cognito.send(
          new InitiateAuthCommand({
            ClientId,
            AuthFlow: 'CUSTOM_AUTH',
            AuthParameters: { USERNAME: Username },
          }),
        )
        expect(ChallengeParameters).toMatchObject({ hint: 'three' })
        const ChallengeResponses = { USERNAME: Username, ANSWER }
        return cognito.send(
          new RespondToAuthChallengeCommand({ ClientId, ChallengeName, Session, ChallengeResponses }),
        )
      }
      await expect(answered('four')).rejects.toThrow('Incorrect username or password.')
      expect((await answered('three')).AuthenticationResult?.IdToken).toBeDefined()
    },
  ],
  [
    'a target group whose headers have many values',
    `${transform}Resources:\n  F:${sam(cookies)}${balancer(forwards).replace('Targets:', 'TargetGroupAttributes: [{Key: lambda.multi_value_headers.enabled, Value: true}], Targets:')}`,
    async (_, url) => {
      const { headers } = await fetch(`${url}/?a=1&a=2`)
      expect(headers.getSetCookie()).toEqual(['one=1', 'two=2'])
    },
  ],
]

describe('a template after the pattern of published ones runs for stock clients:', () => {
  it.each(programs)('%s', async (_what, template, use) => {
    const [port] = await freePorts(1)
    await using running = await runTemplate(template.replaceAll('PORT', String(port)))
    await use(running, `http://127.0.0.1:${port}`)
  })
})
