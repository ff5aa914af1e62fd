import { knownSource, type Source, type Trigger, type TriggerResponse } from '../contract/index.ts'

/** The smallest valid answer to each trigger. */
export const leastAnswers: { readonly [T in Trigger]: TriggerResponse<T> } = {
  PreSignUp: {},
  PostConfirmation: {},
  PreAuthentication: {},
  PostAuthentication: {},
  DefineAuthChallenge: { issueTokens: false, failAuthentication: false },
  CreateAuthChallenge: { publicChallengeParameters: {}, privateChallengeParameters: {} },
  VerifyAuthChallengeResponse: { answerCorrect: false },
  TokenGeneration: {},
  CustomMessage: {},
  UserMigration: { userAttributes: {} },
  CustomEmailSender: {},
  CustomSMSSender: {},
  InboundFederation: { userAttributesToMap: {} },
}

/** Returns the smallest valid answer to an event. It is a route for all sources. */
export function leastAnswer({ triggerSource }: { readonly triggerSource: Source }): object {
  return leastAnswers[knownSource(triggerSource)!.trigger]
}
