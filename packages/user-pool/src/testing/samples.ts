import type { Source, Trigger, TriggerRequest } from '../contract/index.ts'

type RequestOf<T extends Trigger> = TriggerRequest<Extract<Source, `${T}_${string}`>>

const userAttributes = {
  sub: '6d1f7a52-0d6e-4b39-9c2b-0f3a5f0f8f11',
  email: 'ada@example.com',
  email_verified: 'true',
}

const sender = {
  code: 'AQIDAHgb0paque',
  clientMetadata: {},
  userAttributes,
}

/** A plausible request for each trigger. */
export const sampleRequests: { readonly [T in Trigger]: RequestOf<T> } = {
  PreSignUp: { userAttributes, validationData: {}, clientMetadata: {} },
  PostConfirmation: { userAttributes, clientMetadata: {} },
  PreAuthentication: { userAttributes, validationData: {}, userNotFound: false },
  PostAuthentication: { newDeviceUsed: false, userAttributes, clientMetadata: {} },
  DefineAuthChallenge: { userAttributes, session: [], clientMetadata: {}, userNotFound: false },
  CreateAuthChallenge: {
    userAttributes,
    challengeName: 'CUSTOM_CHALLENGE',
    session: [],
    clientMetadata: {},
    userNotFound: false,
  },
  VerifyAuthChallengeResponse: {
    userAttributes,
    privateChallengeParameters: { answer: '424242' },
    clientMetadata: {},
    challengeAnswer: '424242',
    userNotFound: false,
  },
  TokenGeneration: {
    userAttributes: { ...userAttributes, 'pool:user_status': 'CONFIRMED' },
    groupConfiguration: { groupsToOverride: [], accessRolesToOverride: [], preferredRole: null },
    clientMetadata: {},
  },
  CustomMessage: {
    userAttributes,
    codeParameter: '{####}',
    usernameParameter: '{username}',
    clientMetadata: {},
  },
  UserMigration: { password: 'correct horse', validationData: {}, clientMetadata: {}, userAttributes: {} },
  CustomEmailSender: { type: 'customEmailSenderRequestV1', ...sender },
  CustomSMSSender: { type: 'customSMSSenderRequestV1', ...sender },
  InboundFederation: {
    providerName: 'Example',
    providerType: 'OIDC',
    attributes: {
      tokenResponse: {},
      idToken: { sub: 'ada', email: 'ada@example.com' },
      userInfo: {},
      samlResponse: {},
    },
  },
}
