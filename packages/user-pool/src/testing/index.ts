export { type Mutation, mutations } from './mutation.ts'
export { type SignInOptions, type SignInStep, signIn } from './sign-in.ts'
export {
  createAuthChallengeEvent,
  customEmailSenderEvent,
  customMessageEvent,
  customSmsSenderEvent,
  defineAuthChallengeEvent,
  type Envelope,
  type EnvelopeOf,
  inboundFederationEvent,
  postAuthenticationEvent,
  postConfirmationEvent,
  preAuthenticationEvent,
  preSignUpEvent,
  tokenGenerationEvent,
  triggerEvent,
  userMigrationEvent,
  verifyAuthChallengeEvent,
} from './trigger-event.ts'
