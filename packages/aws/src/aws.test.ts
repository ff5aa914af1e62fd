import { describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { mailFlow } from '@signalbox/mail-flow'
import { queue } from '@signalbox/queue'
import { queueEvent } from '@signalbox/queue/testing'
import { deny, passThrough, userPool } from '@signalbox/user-pool'
import { knownSource, sources } from '@signalbox/user-pool/contract'
import { preSignUpEvent } from '@signalbox/user-pool/testing'
import { leastAnswer } from '@signalbox/user-pool/testing/least-answers'
import { cognitoEvents } from '../fixtures/cognito.ts'
import { cognitoHabits } from '../fixtures/cognito-habits.ts'
import { albEvents, sqsEvents, workMailEvents } from '../fixtures/others.ts'
import { aws } from './aws.ts'
import { awsEvent } from './testing/index.ts'

/** Calls a handler as AWS does: the event comes from JSON, and the result becomes JSON. */
async function invoke(handler: (event: never) => Promise<unknown>, event: unknown): Promise<unknown> {
  const answer = JSON.stringify(await handler(JSON.parse(JSON.stringify(event)) as never))
  return answer === undefined ? undefined : JSON.parse(answer)
}

describe('aws() for a user pool', () => {
  it('adds the response to the event, and changes no other field, for every trigger source', async () => {
    const handler = aws(signalbox(userPool({ otherwise: leastAnswer })))
    for (const event of [...Object.values(cognitoEvents), ...Object.values(cognitoHabits)]) {
      const answer = (await invoke(handler, event)) as { response?: unknown }
      const { response, ...rest } = answer
      expect(JSON.stringify({ ...rest, response: null })).toBe(JSON.stringify({ ...event, response: null }))
      expect(response).toBeDefined()
    }
  })

  it('is tested with events of all trigger sources of the contract, which AWS has, too', () => {
    const sent = [...Object.values(cognitoEvents), ...Object.values(cognitoHabits)].map(
      event => event.triggerSource,
    )
    expect(sources).toEqual(expect.arrayContaining(sent))
    expect(sent).toEqual(expect.arrayContaining(sources.filter(each => !knownSource(each)!.extension)))
  })

  it('normalizes boolean attributes, null maps and missing validationData before calling a route', async () => {
    const seen: unknown[] = []
    const handler = aws(
      signalbox(
        userPool({
          PreSignUp: ({ request }) => {
            seen.push(request.userAttributes.email_verified, request.validationData, request.clientMetadata)
            return {}
          },
          UserMigration_ForgotPassword: ({ request }) => {
            seen.push('password' in request, request.validationData)
            return { userAttributes: { 'pool:x': 'y' }, finalUserStatus: 'RESET_REQUIRED' }
          },
          CustomEmailSender: ({ callerContext, request }) => {
            seen.push(callerContext.cloudSdkVersion, request.userAttributes)
          },
        }),
      ),
    )
    await invoke(handler, cognitoHabits['sign-up with null maps'])
    await invoke(handler, cognitoHabits['sign-up without validationData'])
    await invoke(handler, cognitoHabits['email sender with booleans'])
    const migrated = await invoke(handler, cognitoHabits.UserMigration_ForgotPassword)
    expect(seen).toEqual([
      'true',
      {},
      {},
      undefined,
      {},
      {},
      'aws-sdk-unknown-unknown',
      { 'pool:user_status': 'UNCONFIRMED', email_verified: 'true', phone_number_verified: 'false' },
      false,
      {},
    ])
    expect(migrated).toEqual({
      ...cognitoHabits.UserMigration_ForgotPassword,
      response: { userAttributes: { 'cognito:x': 'y' }, finalUserStatus: 'RESET_REQUIRED' },
    })
  })

  it('supports versions 1, 2 and 3 of the token-generation trigger', async () => {
    const handler = aws(
      signalbox(
        userPool({
          TokenGeneration: ({ request }) =>
            request.scopes?.includes('cloud.pool.signin.user.admin')
              ? {
                  claimsAndScopeOverrideDetails: {
                    idTokenGeneration: { claimsToAddOrOverride: { 'custom:level': '1' } },
                    accessTokenGeneration: { scopesToSuppress: ['cloud.pool.signin.user.admin'] },
                    groupOverrideDetails: {
                      accessRolesToOverride: request.groupConfiguration?.accessRolesToOverride ?? [],
                    },
                  },
                }
              : { claimsOverrideDetails: { claimsToSuppress: ['pool:roles'] } },
        }),
      ),
    )
    const one = cognitoEvents.TokenGeneration_HostedAuth
    expect(await invoke(handler, one)).toEqual({
      ...one,
      response: { claimsOverrideDetails: { claimsToSuppress: ['cognito:roles'] } },
    })
    const { TokenGeneration_Authentication: two, TokenGeneration_ClientCredentials: three } = cognitoEvents
    for (const [event, roles] of [
      [two, two.request.groupConfiguration.iamRolesToOverride],
      [three, []],
    ] as const) {
      expect(await invoke(handler, event)).toEqual({
        ...event,
        response: {
          claimsAndScopeOverrideDetails: {
            idTokenGeneration: { claimsToAddOrOverride: { 'custom:level': '1' } },
            accessTokenGeneration: { scopesToSuppress: ['aws.cognito.signin.user.admin'] },
            groupOverrideDetails: { iamRolesToOverride: roles },
          },
        },
      })
    }
  })

  it('rejects with the error when a handler denies the sign-up', async () => {
    const handler = aws(signalbox(userPool({ PreSignUp: () => deny('Not here') })))
    await expect(invoke(handler, cognitoEvents.PreSignUp_SignUp)).rejects.toThrow('Not here')
  })

  it('leaves the caller’s event unchanged when the wrapped function modifies its copy', async () => {
    const handler = aws(async (event: unknown) => {
      const { request, callerContext } = event as (typeof cognitoHabits)['sign-up with null maps']
      Object.assign(event as object, { region: 'changed' })
      Object.assign(callerContext, { clientId: 'changed' })
      Object.assign(request, { validationData: 'changed' })
      Object.assign(request.userAttributes, { email: 'changed' })
      return { ...(event as object), response: { ok: true } }
    })
    for (const event of [
      cognitoHabits['sign-up with null maps'],
      { triggerSource: '', callerContext: { awsSdkVersion: '1' }, request: { userAttributes: {} } },
    ]) {
      const sent = structuredClone(event)
      expect(await handler(sent)).toEqual({ ...event, region: 'changed', response: { ok: true } })
      expect(sent).toEqual(event)
    }
  })

  it('returns the original request even when the function returns a modified request', async () => {
    const handler = aws(async (event: unknown) => ({
      ...(event as object),
      request: { userAttributes: { 'pool:x': 1 } },
    }))
    const event = cognitoEvents.PostAuthentication_Authentication
    expect(await handler(event)).toEqual(event)
  })

  it('translates field names in a bare response, and leaves undefined, null, strings and lists unchanged', async () => {
    const answers = [undefined, null, 'text', [], { response: { userAttributes: { 'pool:x': 1 } } }]
    const got: unknown[] = []
    for (const answer of answers) got.push(await aws(async () => answer)(cognitoEvents.PreSignUp_SignUp))
    expect(got).toEqual([undefined, null, 'text', [], { response: { userAttributes: { 'cognito:x': 1 } } }])
  })
})

describe('aws() for a queue', () => {
  it('returns the ids of the failed messages', async () => {
    const seen: unknown[] = []
    const handler = aws(
      signalbox(
        queue({
          onMessage: ({ body, record }) => {
            seen.push(record.attributes.CloudTraceHeader, record.cloudRegion, record.eventSource)
            if (body === 'not an order') throw new Error('no order')
          },
        }),
      ),
    )
    expect(await invoke(handler, sqsEvents.standard)).toEqual({
      batchItemFailures: [{ itemIdentifier: '2e1424d4-f796-459a-8184-9c92662be6da' }],
    })
    expect(await invoke(handler, sqsEvents.fifo)).toEqual({ batchItemFailures: [] })
    expect(seen.slice(0, 3)).toEqual([
      'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1',
      'eu-central-1',
      'cloud:queue',
    ])
  })
})

describe('aws() for mail', () => {
  it('passes events and results through unchanged', async () => {
    const handler = aws(signalbox(mailFlow((_mail, actions) => actions.drop())))
    expect(await invoke(handler, workMailEvents.inbound)).toMatchObject({
      actions: [{ action: { type: 'DROP' } }],
    })
  })
})

describe('aws() for a load balancer', () => {
  it.each(Object.entries(albEvents))('responds to the request in %s.json', async (_name, event) => {
    const handler = aws(
      signalbox(loadBalancer([get('/orders/{id}', ({ params }) => json({ id: params.id }))])),
    )
    expect(await invoke(handler, event)).toMatchObject({
      statusCode: expect.any(Number),
      statusDescription: expect.any(String),
      isBase64Encoded: false,
    })
  })

  it('adds missing fields to an early response from a middleware', async () => {
    const handler = aws(
      signalbox(loadBalancer([get('/', () => json(1))])).before(() => ({ statusCode: 503 })),
    )
    expect(await handler(albEvents.single)).toEqual({
      statusCode: 503,
      statusDescription: '503 Service Unavailable',
      isBase64Encoded: false,
      headers: {},
    })
  })
})

describe('middlewares', () => {
  const userStatus = (event: unknown) =>
    Object.keys((event as typeof cognitoEvents.PostConfirmation_ConfirmSignUp).request.userAttributes)[1]

  it('see neutral names inside aws() and AWS names outside it', async () => {
    const seen: unknown[] = []
    const inner = signalbox(userPool({ otherwise: passThrough })).before((request: { event: unknown }) => {
      seen.push(userStatus(request.event))
    })
    const outer = middy(aws(inner) as never)
      .before((request: { event: unknown }) => void seen.push(userStatus(request.event)))
      .after((request: { response: unknown }) => void seen.push(userStatus(request.response)))
    await outer(cognitoEvents.PostConfirmation_ConfirmSignUp as never, {} as never)
    expect(seen).toEqual(['cognito:user_status', 'pool:user_status', 'cognito:user_status'])
  })
})

describe('aws()', () => {
  it('throws an error that says what to pass when the argument is not a handler', () => {
    expect(() => aws(queue({ onMessage: () => {} }) as never)).toThrow(
      'aws() expects the handler that signalbox(…) returns: aws(signalbox(queue(…)))',
    )
  })

  it.each([
    ['queueEvent()', queueEvent({ bodies: ['one'] })],
    ['preSignUpEvent()', preSignUpEvent()],
    ['httpEvent()', httpEvent('GET', '/')],
    ['httpEvent() in multi-value mode', httpEvent('GET', '/', { multiValue: true })],
  ])(
    'refuses an event with neutral names from %s, and says how to translate the event',
    async (_builder, event) => {
      const home = loadBalancer([get('/', () => json('home'))])
      const handler = aws(
        signalbox(queue({ onMessage: () => {} }), userPool({ otherwise: passThrough }), home),
      )
      await expect(handler(event)).rejects.toThrow(
        "a handler in aws() takes events of AWS. For the platform, set dialect: 'aws' at the function. In a test, pass awsEvent(event) of @signalbox/aws/testing.",
      )
      await expect(handler(awsEvent(event))).resolves.toBeDefined()
    },
  )

  it('returns a function with two parameters, because Lambda refuses handlers that take a callback', () => {
    expect(aws(async () => 1)).toHaveLength(2)
  })
})
