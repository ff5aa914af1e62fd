// Synthesizes the stacks of the tests into the folder CDK_OUTDIR. A program of its own, as programs of CDK are.
import { fileURLToPath } from 'node:url'
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib'
import { OAuthScope, ResourceServerScope, UserPool, UserPoolOperation } from 'aws-cdk-lib/aws-cognito'
import { Vpc } from 'aws-cdk-lib/aws-ec2'
import {
  ApplicationLoadBalancer,
  ListenerAction,
  ListenerCondition,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2'
import { LambdaTarget } from 'aws-cdk-lib/aws-elasticloadbalancingv2-targets'
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { Queue } from 'aws-cdk-lib/aws-sqs'

const app = new App()
const asset = fileURLToPath(new URL('./cdk-asset', import.meta.url))
const functionOf = (stack, id, handler, more = {}) =>
  new LambdaFunction(stack, id, {
    runtime: Runtime.NODEJS_22_X,
    timeout: Duration.seconds(20),
    memorySize: 256,
    code: Code.fromAsset(asset),
    handler: `index.${handler}`,
    ...more,
  })
const output = (stack, id, value) => new CfnOutput(stack, id, { value })

{
  const stack = new Stack(app, 'Worker')
  const dead = new Queue(stack, 'Dead')
  const results = new Queue(stack, 'Results')
  const jobs = new Queue(stack, 'Jobs', {
    visibilityTimeout: Duration.seconds(60),
    deadLetterQueue: { queue: dead, maxReceiveCount: 1 },
  })
  const worker = functionOf(stack, 'Work', 'forward', { environment: { NEXT: results.queueUrl } })
  results.grantSendMessages(worker)
  worker.addEventSource(new SqsEventSource(jobs, { batchSize: 5, reportBatchItemFailures: true }))
  output(stack, 'JobsUrl', jobs.queueUrl)
  output(stack, 'ResultsUrl', results.queueUrl)
}

{
  const stack = new Stack(app, 'Fifo')
  const results = new Queue(stack, 'Results', { fifo: true, contentBasedDeduplication: true })
  const jobs = new Queue(stack, 'Jobs', { fifo: true, visibilityTimeout: Duration.seconds(60) })
  const worker = functionOf(stack, 'Work', 'forward', {
    environment: { NEXT: results.queueUrl, GROUP: 'all' },
  })
  worker.addEventSource(new SqsEventSource(jobs))
  output(stack, 'JobsUrl', jobs.queueUrl)
  output(stack, 'ResultsUrl', results.queueUrl)
}

{
  const stack = new Stack(app, 'Users')
  const pool = new UserPool(stack, 'Pool', {
    selfSignUpEnabled: true,
    signInAliases: { email: true },
    autoVerify: { email: true },
    passwordPolicy: { minLength: 8, requireSymbols: false },
    lambdaTriggers: {},
  })
  pool.addTrigger(UserPoolOperation.PRE_SIGN_UP, functionOf(stack, 'Gate', 'confirm'))
  const read = new ResourceServerScope({ scopeName: 'read', scopeDescription: 'Read' })
  const server = pool.addResourceServer('Api', { identifier: 'api', scopes: [read] })
  const client = pool.addClient('Web', {
    authFlows: { userPassword: true },
    oAuth: {
      flows: { authorizationCodeGrant: true },
      scopes: [OAuthScope.OPENID, OAuthScope.resourceServer(server, read)],
      callbackUrls: ['https://shop.example/back'],
    },
  })
  output(stack, 'ClientId', client.userPoolClientId)
  output(stack, 'PoolId', pool.userPoolId)
}

{
  const stack = new Stack(app, 'Web')
  const vpc = new Vpc(stack, 'Net', { maxAzs: 2, natGateways: 0 })
  const balancer = new ApplicationLoadBalancer(stack, 'Balancer', { vpc, internetFacing: true })
  const listener = balancer.addListener('Http', { port: Number(process.env.WEB_PORT), protocol: 'HTTP' })
  listener.addTargets('Shop', { targets: [new LambdaTarget(functionOf(stack, 'Shop', 'web'))] })
  listener.addAction('Old', {
    priority: 5,
    conditions: [ListenerCondition.pathPatterns(['/old/*'])],
    action: ListenerAction.redirect({ path: '/new', permanent: true }),
  })
  listener.addAction('Gone', {
    priority: 6,
    conditions: [ListenerCondition.hostHeaders(['gone.example'])],
    action: ListenerAction.fixedResponse(410, { messageBody: 'gone' }),
  })
  output(stack, 'Host', balancer.loadBalancerDnsName)
}

{
  const stack = new Stack(app, 'Inline')
  functionOf(stack, 'Greet', 'handler', {
    functionName: 'greet',
    code: Code.fromInline(
      "exports.handler = async ({ name }) => ({ greeting: process.env.WORD + ' ' + name })",
    ),
    environment: { WORD: 'hello' },
  })
}

app.synth()
