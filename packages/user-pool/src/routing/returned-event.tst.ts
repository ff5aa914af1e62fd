import { describe, test } from 'tstyche'
import { claims } from '../response/claims.ts'
import { userPool } from '../user-pool.ts'
import type { Routes } from './route.ts'

describe('a route of any trigger', () => {
  test('returns the event that it filled', () => {
    userPool({
      PreSignUp: event => {
        event.response.autoConfirmUser = true
        return event
      },
      PostConfirmation: async event => event,
      PreAuthentication: event => event,
      PostAuthentication: event => ({ ...event }),
      TokenGeneration: event => {
        event.response.claimsOverrideDetails = {
          claimsToAddOrOverride: { tenant: 't1' },
          claimsToSuppress: ['email'],
          groupOverrideDetails: event.request.groupConfiguration,
        }
        return event
      },
      CustomMessage: async event => {
        event.response.emailMessage = `Your code is ${event.request.codeParameter}`
        return event
      },
      DefineAuthChallenge: event => {
        event.response.issueTokens = false
        event.response.failAuthentication = false
        event.response.challengeName = 'CUSTOM_CHALLENGE'
        return event
      },
      CreateAuthChallenge: event => {
        event.response.publicChallengeParameters = {}
        event.response.publicChallengeParameters.captchaUrl = 'url/123.jpg'
        event.response.privateChallengeParameters = { answer: '5' }
        event.response.challengeMetadata = 'CAPTCHA_CHALLENGE'
        return event
      },
      VerifyAuthChallengeResponse: async event => {
        const { privateChallengeParameters, challengeAnswer } = event.request
        event.response.answerCorrect = privateChallengeParameters.answer === challengeAnswer
        return event
      },
      UserMigration: async event => {
        event.response.userAttributes = { email: 'ada@example.com', email_verified: 'true' }
        event.response.finalUserStatus = 'CONFIRMED'
        event.response.messageAction = 'SUPPRESS'
        return event
      },
      InboundFederation: event => {
        event.response.userAttributesToMap = { email: 'ada@example.com' }
        return event
      },
      CustomEmailSender: event => event,
      CustomSMSSender: async event => event,
    })
    userPool({
      PreSignUp_SignUp: async event => {
        event.response.autoConfirmUser = true
        return event
      },
      UserMigration_ForgotPassword: event => ({ ...event, response: { userAttributes: {} } }),
      TokenGeneration_HostedAuth: event => {
        event.response.claimsAndScopeOverrideDetails = {
          accessTokenGeneration: { scopesToAdd: ['orders'], claimsToAddOrOverride: { tenant: ['t1'] } },
        }
        return event
      },
    })
  })

  test('fills the response and returns nothing', () => {
    userPool({
      PreSignUp: event => {
        event.response = { autoConfirmUser: true }
      },
      TokenGeneration: event => {
        event.response = claims().set('tenant', 't1').for(event)
      },
      DefineAuthChallenge: async event => {
        event.response.issueTokens = true
        event.response.failAuthentication = false
      },
      CreateAuthChallenge: event => {
        event.response = { publicChallengeParameters: {}, privateChallengeParameters: { answer: '5' } }
      },
      VerifyAuthChallengeResponse: event => {
        event.response.answerCorrect = true
      },
      UserMigration: event => {
        event.response = { userAttributes: {}, finalUserStatus: 'CONFIRMED' }
      },
    })
  })

  test('cannot fill a field that its trigger lacks, or give it another value', () => {
    userPool({
      PreSignUp: event => {
        // @ts-expect-error Property 'autoConfrimUser' does not exist on type
        event.response.autoConfrimUser = true
        // @ts-expect-error Property 'answerCorrect' does not exist on type
        event.response.answerCorrect = true
        // @ts-expect-error is not assignable to type
        event.response.autoConfirmUser = 'yes'
      },
    })
  })

  test('cannot return the event of another trigger', () => {
    const routes: Routes = {
      // @ts-expect-error is not assignable to type
      PreSignUp: event => ({ ...event, triggerSource: 'PreAuthentication_Authentication' as const }),
    }
    userPool(routes)
  })

  test('reads the names of the contract, and the error for a name of AWS shows which', () => {
    userPool({
      TokenGeneration: ({ callerContext, request: { groupConfiguration } }) => {
        // @ts-expect-error types 'Hint<"write cloudSdkVersion"> | undefined' and 'string' have no overlap
        if (callerContext.awsSdkVersion === '3') return
        // @ts-expect-error Property 'length' does not exist on type 'Hint<"write accessRolesToOverride">'
        if (groupConfiguration.iamRolesToOverride?.length === 0) return
      },
    })
  })
})
