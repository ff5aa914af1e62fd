import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { handler } from './handler.ts'

const event = () => JSON.parse(readFileSync(new URL('event.json', import.meta.url), 'utf8'))

it('the handler accepts a sign-up with a staff address, and answers with AWS field names', async () => {
  expect(await handler(event())).toEqual({
    ...event(),
    response: { autoConfirmUser: true, autoVerifyEmail: true },
  })
})

it('the handler denies a sign-up without a staff address', async () => {
  const outsideSignUp = event()
  outsideSignUp.request.userAttributes.email = 'ada@elsewhere.example'
  await expect(handler(outsideSignUp)).rejects.toThrow('Staff addresses only')
})

it('the handler suppresses a claim by its AWS name', async () => {
  const { callerContext, ...rest } = event()
  const tokens = {
    ...rest,
    callerContext,
    triggerSource: 'TokenGeneration_Authentication',
    request: { userAttributes: { 'cognito:user_status': 'CONFIRMED' }, groupConfiguration: {} },
    response: {},
  }
  expect(await handler(tokens)).toEqual({
    ...tokens,
    response: { claimsOverrideDetails: { claimsToSuppress: ['cognito:roles'] } },
  })
})
