import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { invocationContext } from '@signalbox/core/testing'
import { preSignUpEvent, triggerEvent } from '../testing/index.ts'
import { userPool } from '../user-pool.ts'

const { NODE_ENV } = process.env
const warn = jest.spyOn(console, 'warn').mockImplementation(() => {})
beforeEach(() => {
  process.env.NODE_ENV = 'development'
})
afterEach(() => {
  process.env.NODE_ENV = NODE_ENV
  warn.mockClear()
})

type Attributes = { [name: string]: unknown }
const event = () => preSignUpEvent({ userAttributes: { sub: 's', 'pool:user_status': 'UNCONFIRMED' } })

/** Runs a route on the attributes of an event. Returns the printed warnings. */
async function warnings(route: (attributes: Attributes) => void, asked = event()) {
  const handler = signalbox(
    userPool({ PreSignUp: ({ request }) => void route(request.userAttributes as Attributes) }),
  )
  await handler(asked, invocationContext())
  return warn.mock.calls.map(([text]) => text)
}

describe('a route that reads a user attribute by its Cognito name', () => {
  const read = (attributes: Attributes) => {
    const name: string = 'cognito:user_status'
    expect(attributes[name]).toBeUndefined()
  }

  it('causes a warning in development, which suggests the name to use instead', async () => {
    expect(await warnings(read)).toEqual([
      'PreSignUp_SignUp: write pool:user_status for cognito:user_status in userAttributes.',
    ])
  })

  it('causes no warning in production', async () => {
    process.env.NODE_ENV = 'production'
    expect(await warnings(read)).toEqual([])
  })

  it('causes no warning when the event has no such attribute or is frozen', async () => {
    expect(await warnings(read, preSignUpEvent({ userAttributes: { sub: 's' } }))).toEqual([])
    const frozen = event()
    Object.freeze(frozen.request.userAttributes)
    expect(await warnings(read, frozen)).toEqual([])
  })
})

describe('the check for Cognito names', () => {
  it('changes neither the JSON nor the copies of the attributes', async () => {
    const seen: unknown[] = []
    const found = await warnings(attributes => {
      seen.push(JSON.stringify(attributes), { ...attributes }, structuredClone(attributes))
    })
    const attributes = { sub: 's', 'pool:user_status': 'UNCONFIRMED' }
    expect(seen).toEqual([JSON.stringify(attributes), attributes, attributes])
    expect(found).toEqual([])
  })

  it('causes no warning about a Cognito name that is in the event or that the route itself adds', async () => {
    const own = { 'pool:user_status': 'A', 'cognito:user_status': 'B' }
    const check = (attributes: Attributes) => {
      attributes['cognito:user_status'] = 'C'
      expect(JSON.parse(JSON.stringify(attributes))).toMatchObject({ 'cognito:user_status': 'C' })
    }
    expect(await warnings(check, preSignUpEvent({ userAttributes: own }))).toEqual([])
    expect(await warnings(check)).toEqual([])
  })

  it('ignores events without user attributes', async () => {
    const handler = signalbox(userPool({ InboundFederation: () => ({ userAttributesToMap: {} }) }))
    await handler(triggerEvent('InboundFederation_ExternalProvider'), invocationContext())
    expect(warn).not.toHaveBeenCalled()
  })
})
