import { signalbox } from '@signalbox/core'
import { loadBalancer } from '@signalbox/load-balancer'
import { mailFlow } from '@signalbox/mail-flow'
import { queue } from '@signalbox/queue'
import { userPool } from '@signalbox/user-pool'
import type {
  ALBEvent,
  ALBHandler,
  ALBResult,
  Context,
  CreateAuthChallengeTriggerHandler,
  CustomEmailSenderTriggerHandler,
  CustomMessageTriggerHandler,
  CustomSMSSenderTriggerHandler,
  DefineAuthChallengeTriggerHandler,
  Handler,
  InboundFederationTriggerHandler,
  PostAuthenticationTriggerHandler,
  PostConfirmationTriggerHandler,
  PreAuthenticationTriggerHandler,
  PreSignUpTriggerEvent,
  PreSignUpTriggerHandler,
  PreTokenGenerationTriggerHandler,
  PreTokenGenerationV2TriggerHandler,
  PreTokenGenerationV3TriggerHandler,
  SESEvent,
  SESEventRecord,
  SQSBatchResponse,
  SQSEvent,
  SQSHandler,
  UserMigrationTriggerHandler,
  VerifyAuthChallengeResponseTriggerHandler,
} from 'aws-lambda'
import { expect, test } from 'tstyche'
import { type AwsHandler, aws, type CognitoResult, sesMail, type sesRecord } from './index.ts'

const triggers = userPool({})
const orders = queue({ onMessage: () => {} })
const mail = mailFlow((_mail, actions) => actions.default())
const site = loadBalancer([])

const onTriggers = aws(signalbox(triggers))
const onOrders = aws(signalbox(orders))
const onRequests = aws(signalbox(site))
const onEverything = aws(signalbox(triggers, orders, mail, site))

test('a user-pool handler is assignable to the handler type of every trigger', () => {
  expect(onTriggers).type.toBeAssignableTo<PreSignUpTriggerHandler>()
  expect(onTriggers).type.toBeAssignableTo<PostConfirmationTriggerHandler>()
  expect(onTriggers).type.toBeAssignableTo<PreAuthenticationTriggerHandler>()
  expect(onTriggers).type.toBeAssignableTo<PostAuthenticationTriggerHandler>()
  expect(onTriggers).type.toBeAssignableTo<DefineAuthChallengeTriggerHandler>()
  expect(onTriggers).type.toBeAssignableTo<CreateAuthChallengeTriggerHandler>()
  expect(onTriggers).type.toBeAssignableTo<VerifyAuthChallengeResponseTriggerHandler>()
  expect(onTriggers).type.toBeAssignableTo<PreTokenGenerationTriggerHandler>()
  expect(onTriggers).type.toBeAssignableTo<PreTokenGenerationV2TriggerHandler>()
  expect(onTriggers).type.toBeAssignableTo<PreTokenGenerationV3TriggerHandler>()
  expect(onTriggers).type.toBeAssignableTo<CustomMessageTriggerHandler>()
  expect(onTriggers).type.toBeAssignableTo<UserMigrationTriggerHandler>()
  expect(onTriggers).type.toBeAssignableTo<CustomEmailSenderTriggerHandler>()
  expect(onTriggers).type.toBeAssignableTo<CustomSMSSenderTriggerHandler>()
  expect(onTriggers).type.toBeAssignableTo<InboundFederationTriggerHandler>()
})

test('a queue handler is assignable to SQSHandler', () => {
  expect(onOrders).type.toBeAssignableTo<SQSHandler>()
  expect(onOrders).type.toBeAssignableTo<Handler<SQSEvent, SQSBatchResponse>>()
})

test('a load-balancer handler is assignable to ALBHandler', () => {
  expect(onRequests).type.toBeAssignableTo<ALBHandler>()
  expect(onRequests).type.toBeAssignableTo<Handler<ALBEvent, ALBResult>>()
})

test('a handler for all event families is assignable to the AWS handler type of each family', () => {
  expect(onEverything).type.toBeAssignableTo<PreSignUpTriggerHandler>()
  expect(onEverything).type.toBeAssignableTo<SQSHandler>()
  expect(onEverything).type.toBeAssignableTo<ALBHandler>()
  expect(onEverything).type.toBeAssignableTo<Handler>()
})

test('a handler for one event family is not assignable to the AWS handler type of another family', () => {
  expect(onRequests).type.not.toBeAssignableTo<Handler<SQSEvent, SQSBatchResponse>>()
  expect(onOrders).type.not.toBeAssignableTo<Handler<ALBEvent, ALBResult>>()
})

test('a mail handler in sesMail() is assignable to a handler of SES events', () => {
  const onMail = aws(sesMail(signalbox(mail)))
  expect(onMail).type.toBeAssignableTo<
    Handler<SESEvent, { disposition: 'CONTINUE' | 'STOP_RULE' | 'STOP_RULE_SET' }>
  >()
  expect(onMail({} as SESEvent)).type.toBe<Promise<{ disposition: 'CONTINUE' | 'STOP_RULE_SET' }>>()
})

test('a handler without sesMail() is not assignable to a handler of SES events', () => {
  expect(aws(signalbox(mail))).type.not.toBeAssignableTo<Handler<SESEvent, { disposition: string }>>()
  expect(onEverything).type.not.toBeAssignableTo<Handler<SESEvent, { disposition: string }>>()
})

test('a handler in sesMail() keeps its other families', () => {
  const handler = aws(sesMail(signalbox(mail, orders)))
  expect(handler).type.toBeAssignableTo<SQSHandler>()
  expect(handler({} as SQSEvent)).type.toBe<Promise<{ batchItemFailures: { itemIdentifier: string }[] }>>()
})

test('sesMail() does not accept a plugin, or a misspelt option', () => {
  // @ts-expect-error "a plugin needs signalbox(): write sesMail(signalbox(…))"
  sesMail(mail)
  // @ts-expect-error 'sendBounces' does not exist in type 'SesMailOptions'
  sesMail(signalbox(mail), { sendBounces: () => {} })
})

test('sesRecord() returns a record that code with the types of AWS accepts', () => {
  expect<NonNullable<ReturnType<typeof sesRecord>>>().type.toBeAssignableTo<SESEventRecord>()
})

test('the type of the event determines the type of the result', () => {
  expect(onEverything({} as SQSEvent, {} as Context)).type.toBe<
    Promise<{ batchItemFailures: { itemIdentifier: string }[] }>
  >()
  expect(onEverything({} as PreSignUpTriggerEvent)).type.toBe<Promise<CognitoResult>>()
  expect(onEverything({} as ALBEvent)).type.toBeAssignableTo<Promise<ALBResult>>()
})

test('a handler accepts a Lambda context', () => {
  expect(onOrders).type.toBeCallableWith({} as SQSEvent, {} as Context)
})

test('aws() does not accept a plugin as its argument', () => {
  // @ts-expect-error "a plugin needs signalbox(): write aws(signalbox(…))"
  aws(triggers)
})

test('aws() returns an AwsHandler', () => {
  expect(aws(async () => 7)).type.toBe<AwsHandler<number>>()
})
