import { describe, expect, it } from '@jest/globals'
import { mistakes } from './testing/mistakes.ts'

describe('triggers of user pools', () => {
  const typed = (trigger: string, body: string) => `
    import { ${trigger} } from 'aws-lambda'
    export const handler: ${trigger} = async event => { ${body} }`

  it('finds a field of another trigger, and a misspelt one', () => {
    const sets = (field: string) => `event.response.${field} = true; return event`
    const row = (name: string) => [`trigger-response 3 user-pool.md#${name}`]
    expect(mistakes(typed('PreSignUpTriggerHandler', sets('answerCorrect')), 'ts')).toEqual(
      row('VerifyAuthChallengeResponse.response.answerCorrect'),
    )
    expect(mistakes(typed('PreSignUpTriggerHandler', sets('autoConfirmUsers')), 'ts')).toEqual(
      row('PreSignUp.response.autoConfirmUser'),
    )
    expect(mistakes(typed('PostConfirmationTriggerHandler', sets('autoConfirmUser')), 'ts')).toEqual(
      row('verdict.no-response-expected'),
    )
    expect(mistakes(typed('PreSignUpTriggerHandler', sets('autoConfirmUser')), 'ts')).toEqual([])
    const tokens = 'event.response = { claimsAndScopeOverrideDetails: {} }; return event'
    expect(mistakes(typed('PreTokenGenerationV2TriggerHandler', tokens), 'ts')).toEqual([])
  })

  it('knows the trigger from conditions about its source', () => {
    const code = (field: string) => `
      exports.handler = async event => {
        switch (event.triggerSource) {
          case 'PreSignUp_SignUp':
          case 'PreSignUp_AdminCreateUser':
            event.response.${field} = true
            break
          default:
            event.response.anything = true
        }
        if (event.triggerSource === 'CustomMessage_SignUp') event.response.smsMessage = 'a'
        event.response.issueTokens = true
        return event
      }`
    expect(mistakes(code('autoConfirmUser'))).toEqual([])
    expect(mistakes(code('issueTokens'))).toEqual([
      'trigger-response 6 user-pool.md#DefineAuthChallenge.response.issueTokens',
    ])
  })

  it('finds handlers that do not return the event', () => {
    const row = ['trigger-returns-event 3 user-pool.md#verdict.same-event']
    const trigger = 'PreSignUpTriggerHandler'
    expect(mistakes(typed(trigger, 'event.response.autoConfirmUser = true'), 'ts')).toEqual(row)
    expect(mistakes(typed(trigger, 'return event.response'), 'ts')).toEqual(row)
    expect(mistakes(typed(trigger, 'return { statusCode: 200 }'), 'ts')).toEqual(row)
    expect(mistakes(typed(trigger, 'if (isKnown(event)) return; return event'), 'ts')).toEqual(row)
    expect(mistakes(typed(trigger, 'throw new Error("no")'), 'ts')).toEqual([])
    expect(
      mistakes(typed(trigger, 'return { ...event, response: { autoConfirmUser: true } }'), 'ts'),
    ).toEqual([])
    expect(mistakes(typed('PostConfirmationTriggerHandler', 'await save(event)'), 'ts')).toEqual([])
    expect(mistakes(typed('CustomEmailSenderTriggerHandler', 'await send(event)'), 'ts')).toEqual([])
    const callback =
      'exports.handler = (event, context, done) => { if (event.triggerSource === "PreSignUp_SignUp") done(null, event) }'
    expect(mistakes(callback)).toEqual([])
  })

  it('judges what is returned only where the source is certain', () => {
    const code = (inside: string, after: string) => `
      exports.handler = async event => {
        if (event.triggerSource === 'PreSignUp_SignUp') { ${inside} }
        ${after}
      }`
    const row = (line: number) => [`trigger-returns-event ${line} user-pool.md#verdict.same-event`]
    expect(mistakes(code('return { statusCode: 200 }', 'return event'))).toEqual(row(3))
    expect(mistakes(code('return event', 'return { statusCode: 200 }'))).toEqual([])
    expect(mistakes(code('return event', 'return event.response'))).toEqual([])
    expect(mistakes(code('event.response.autoConfirmUser = true', ''))).toEqual(row(2))
    expect(mistakes(code('throw new Error("closed")', ''))).toEqual([])
    expect(mistakes(code('list.map(each => { return { each } })', 'return event'))).toEqual([])
  })

  it('knows a trigger by the fields that are set, where nothing is returned', () => {
    const code = (field: string, end = '') => `
      exports.handler = async event => {
        event.response.${field} = true
        ${end}
      }`
    const row = ['trigger-returns-event 2 user-pool.md#verdict.same-event']
    expect(mistakes(code('autoConfirmUser'))).toEqual(row)
    expect(mistakes(code('issueTokens', 'event.response.failAuthentication = false'))).toEqual(row)
    expect(mistakes(code('autoConfirmUser', 'return event'))).toEqual([])
    expect(mistakes(code('autoConfirmUser', 'event.response.sent = true'))).toEqual([])
    expect(mistakes(code('headers'))).toEqual([])
    expect(mistakes(code('autoConfirmUser').replace('async event', '(event, context, done)'))).toEqual([])
    const passes = `exports.handler = event => event.triggerSource === 'PreSignUp_SignUp' ? confirmed(event) : event`
    expect(mistakes(passes)).toEqual([])
    const typed = `
      /** @type {import('aws-lambda').PreSignUpTriggerHandler} */
      exports.handler = async event => { event.response.issueTokens = true; return event }`
    expect(mistakes(typed)).toEqual([
      'trigger-response 3 user-pool.md#DefineAuthChallenge.response.issueTokens',
    ])
  })

  it('compares with the source of its own event only', () => {
    const code = (source: string, before = '') => `
      exports.handler = async event => {
        ${before}
        if (${source} === 'PreSignUp_SignUp') event.response.issueTokens = true
        return event
      }`
    const row = ['trigger-response 4 user-pool.md#DefineAuthChallenge.response.issueTokens']
    expect(mistakes(code('event.triggerSource'))).toEqual(row)
    expect(mistakes(code('triggerSource', 'const { triggerSource } = event'))).toEqual(row)
    expect(mistakes(code('previous.triggerSource'))).toEqual([])
    expect(mistakes(code('triggerSource'))).toEqual([])
    const inner = `
      exports.handler = async event => {
        past.map(event => { if (event.triggerSource === 'PreSignUp_SignUp') event.response.issueTokens = true })
        return event
      }`
    expect(mistakes(inner)).toEqual([])
  })
})
