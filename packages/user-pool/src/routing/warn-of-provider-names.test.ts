import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { invocationContext } from '@signalbox/core/testing'
import { preSignUpEvent, tokenGenerationEvent, triggerEvent } from '../testing/index.ts'
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

describe('a route of token generation', () => {
  const asked = () => ({
    ...tokenGenerationEvent({
      groupConfiguration: { groupsToOverride: [], accessRolesToOverride: ['r'], preferredRole: null },
      scopes: ['cloud.pool.signin.user.admin', 'orders'],
    }),
    version: '2',
  })
  const read = (look: (event: { request: Attributes; callerContext: Attributes }) => unknown) =>
    signalbox(userPool({ TokenGeneration: event => void look(event as never) }))(asked(), invocationContext())
  const printed = () => warn.mock.calls.map(([text]) => text)

  it('causes a warning in development for each name of AWS that it reads', async () => {
    await read(({ request, callerContext }) => {
      const groups = request.groupConfiguration as Attributes
      expect([groups.iamRolesToOverride, callerContext.awsSdkVersion]).toEqual([undefined, undefined])
      const scopes = request.scopes as string[]
      expect(scopes.includes('aws.cognito.signin.user.admin')).toBe(false)
      expect(scopes.indexOf('aws.cognito.signin.user.admin')).toBe(-1)
    })
    const source = asked().triggerSource
    const scope = `${source}: write cloud.pool.signin.user.admin for aws.cognito.signin.user.admin in scopes.`
    expect(printed()).toEqual([
      `${source}: write accessRolesToOverride for iamRolesToOverride in groupConfiguration.`,
      `${source}: write cloudSdkVersion for awsSdkVersion in callerContext.`,
      scope,
      scope,
    ])
  })

  it('causes no warning for neutral names, copies, other scopes, or in production', async () => {
    await read(({ request, callerContext }) => {
      const scopes = request.scopes as string[]
      expect(scopes.includes('cloud.pool.signin.user.admin')).toBe(true)
      expect([scopes.indexOf('orders'), scopes.includes('orders', 2), scopes.includes('other')]).toEqual([
        1,
        false,
        false,
      ])
      expect(structuredClone([request, callerContext])).toEqual([asked().request, asked().callerContext])
      expect([...scopes]).toEqual(['cloud.pool.signin.user.admin', 'orders'])
    })
    process.env.NODE_ENV = 'production'
    await read(({ callerContext }) => callerContext.awsSdkVersion)
    expect(printed()).toEqual([])
  })

  it('that answers with iamRolesToOverride gets the name to write', async () => {
    const groupOverrideDetails = { iamRolesToOverride: ['r'] }
    const TokenGeneration = () => ({ claimsOverrideDetails: { groupOverrideDetails } }) as never
    await expect(signalbox(userPool({ TokenGeneration }))(asked(), invocationContext())).rejects.toThrow(
      'iamRolesToOverride: expected no such field; write accessRolesToOverride, also on AWS',
    )
  })
})
