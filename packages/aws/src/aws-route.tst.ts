import { any, get, loadBalancer, post } from '@signalbox/load-balancer'
import { queue } from '@signalbox/queue'
import { triggerRouter, userPool } from '@signalbox/user-pool'
import type {
  ALBEvent,
  ALBHandler,
  ALBResult,
  CreateAuthChallengeTriggerHandler,
  CustomEmailSenderTriggerHandler,
  CustomMessageTriggerHandler,
  CustomSMSSenderTriggerHandler,
  DefineAuthChallengeTriggerHandler,
  PostAuthenticationTriggerHandler,
  PostConfirmationTriggerHandler,
  PreAuthenticationTriggerHandler,
  PreSignUpTriggerHandler,
  PreTokenGenerationV2TriggerHandler,
  SQSHandler,
  SQSRecord,
  UserMigrationTriggerHandler,
  VerifyAuthChallengeResponseTriggerHandler,
} from 'aws-lambda'
import { test } from 'tstyche'
import { awsRecord, awsRoute } from './index.ts'

declare const handlers: {
  PreSignUp: PreSignUpTriggerHandler
  PostConfirmation: PostConfirmationTriggerHandler
  PreAuthentication: PreAuthenticationTriggerHandler
  PostAuthentication: PostAuthenticationTriggerHandler
  DefineAuthChallenge: DefineAuthChallengeTriggerHandler
  CreateAuthChallenge: CreateAuthChallengeTriggerHandler
  VerifyAuthChallengeResponse: VerifyAuthChallengeResponseTriggerHandler
  TokenGeneration: PreTokenGenerationV2TriggerHandler
  CustomMessage: CustomMessageTriggerHandler
  UserMigration: UserMigrationTriggerHandler
  CustomEmailSender: CustomEmailSenderTriggerHandler
  CustomSMSSender: CustomSMSSenderTriggerHandler
}
declare const onRequest: ALBHandler
declare const onBatch: SQSHandler
declare const perEvent: (event: ALBEvent) => Promise<ALBResult>
declare const perRecord: (record: SQSRecord) => Promise<void>

test('awsRoute() makes a route of every handler of @types/aws-lambda', () => {
  userPool({
    PreSignUp: awsRoute(handlers.PreSignUp),
    PostConfirmation: awsRoute(handlers.PostConfirmation),
    PreAuthentication: awsRoute(handlers.PreAuthentication),
    PostAuthentication: awsRoute(handlers.PostAuthentication),
    DefineAuthChallenge: awsRoute(handlers.DefineAuthChallenge),
    CreateAuthChallenge: awsRoute(handlers.CreateAuthChallenge),
    VerifyAuthChallengeResponse: awsRoute(handlers.VerifyAuthChallengeResponse),
    TokenGeneration: awsRoute(handlers.TokenGeneration),
    CustomMessage: awsRoute(handlers.CustomMessage),
    UserMigration: awsRoute(handlers.UserMigration),
    CustomEmailSender: awsRoute(handlers.CustomEmailSender),
    CustomSMSSender: awsRoute(handlers.CustomSMSSender),
  })
  loadBalancer([any('/{path+}', awsRoute(onRequest))])
  queue({ onMessage: awsRoute(onBatch) })
})

test('the compile error for a handler of @types/aws-lambda without awsRoute() says what to write', () => {
  // @ts-expect-error is not assignable to type 'Hint<"for a handler of AWS, write awsRoute(…)"> |
  userPool({ PreSignUp: handlers.PreSignUp })
  // @ts-expect-error is not assignable to type 'Hint<"for a handler of AWS, write awsRoute(…)"> |
  userPool({ TokenGeneration: handlers.TokenGeneration })
  // @ts-expect-error is not assignable to type 'Hint<"for a handler of AWS, write awsRoute(…)"> |
  userPool({ otherwise: handlers.UserMigration })
  // @ts-expect-error is not assignable to type 'Hint<"for a handler of AWS, write awsRoute(…)"> |
  triggerRouter({ DefineAuthChallenge: handlers.DefineAuthChallenge })
  // @ts-expect-error is not assignable to parameter of type 'Hint<"for a handler of AWS, write awsRoute(…)"> |
  get('/', onRequest)
  // @ts-expect-error is not assignable to parameter of type 'Hint<"for a handler of AWS, write awsRoute(…)"> |
  post('/', {}, onRequest)
  // @ts-expect-error is not assignable to type 'Hint<"for a handler of AWS, write awsRoute(…)"> |
  queue({ onMessage: onBatch })
})

test('functions of a record or of an event in the types of AWS need one more word, too', () => {
  queue({ onMessage: ({ record }) => perRecord(awsRecord(record)) })
  loadBalancer([any('/{path+}', awsRoute(perEvent))])
})
