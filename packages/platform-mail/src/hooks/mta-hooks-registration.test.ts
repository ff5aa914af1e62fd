import { describe, expect, it } from '@jest/globals'
import { askHook, mtaHookRequest, mtaRegistration, registerMtaHook } from '../testing/hook-requests.ts'
import { testHooks } from '../testing/test-hooks.ts'

const json = { 'content-type': 'application/json' }

describe('the registration of an MTA', () => {
  it('is found without the secret, and names the paths of the draft', async () => {
    await using hooks = await testHooks()
    const discovery = { method: 'GET', path: '/.well-known/mta-hooks', headers: { authorization: '' } }
    expect(await askHook(hooks.url, discovery)).toMatchObject({
      status: 200,
      json: {
        ...{ version: '1.0', serialization: ['json'] },
        endpoints: { registration: '/mta-hooks/01/register' },
        capabilities: { inbound: { stages: ['data'], actions: ['accept', 'reject', 'discard'] } },
        limits: { maxMessageSize: 1024 * 1024, timeoutMs: 18_000 },
      },
    })
  })

  it('has what the MTA offers of the properties that hooks read, and ends', async () => {
    await using hooks = await testHooks()
    const body = {
      ...mtaRegistration,
      inbound: {
        stages: ['data'],
        properties: ['/queue', '/envelope', '/message', '/stage', '/action', '/rawMessage'],
      },
    }
    const {
      status,
      json: its,
      headers,
    } = await askHook(hooks.url, {
      path: '/mta-hooks/01/register',
      headers: json,
      body: JSON.stringify(body),
    })
    const id = its.registrationId
    expect(status).toBe(201)
    expect(headers.location).toBe(`/mta-hooks/01/register/${id}`)
    expect(its).toEqual({
      registrationId: expect.stringMatching(/^[\w-]{20,255}$/),
      ...{ status: 'active', expiresAt: null, createdAt: '2023-11-14T22:13:20.000Z' },
      hookEndpoint: `/mta-hooks/01/hooks/${id}`,
      endpoints: {
        status: `/mta-hooks/01/register/${id}/status`,
        deregistration: `/mta-hooks/01/register/${id}`,
      },
      negotiated: {
        serialization: 'json',
        inbound: {
          stages: ['data'],
          properties: ['/stage', '/action', '/rawMessage', '/envelope', '/queue'],
        },
      },
    })
    const { negotiated, ...rest } = its
    expect(await askHook(hooks.url, { method: 'GET', path: its.endpoints.status })).toMatchObject({
      status: 200,
      json: rest,
    })
    expect(await askHook(hooks.url, { method: 'DELETE', path: its.endpoints.deregistration })).toMatchObject({
      status: 200,
      json: { registrationId: id, status: 'deregistered', deregisteredAt: '2023-11-14T22:13:20.000Z' },
    })
    expect((await askHook(hooks.url, mtaHookRequest(its.hookEndpoint))).status).toBe(204)
  })

  it('can be without a list of properties, and is valid at each platform', async () => {
    await using first = await testHooks()
    await using second = await testHooks()
    const endpoint = await registerMtaHook(first.url)
    expect((await askHook(second.url, mtaHookRequest(endpoint))).status).toBe(204)
    const body = JSON.stringify({ ...mtaRegistration, inbound: { stages: ['data'] } })
    const { json: its } = await askHook(first.url, { path: '/mta-hooks/01/register', headers: json, body })
    expect(its.negotiated.inbound.properties).toHaveLength(11)
    const status = { method: 'GET', path: '/mta-hooks/01/register/_/status' }
    expect((await askHook(first.url, status)).json.createdAt).toBeUndefined()
  })

  it.each([
    ['CBOR', { serialization: 'cbor' }, '/serialization is not json, which is the only one here.'],
    [
      'another stage',
      { inbound: { stages: ['rcpt'] } },
      '/inbound/stages is not ["data"], which is the only stage here.',
    ],
    [
      'no inbound stages',
      { inbound: null },
      '/inbound/stages is not ["data"], which is the only stage here.',
    ],
    [
      'no raw mail',
      { inbound: { stages: ['data'], properties: ['/stage', '/action'] } },
      '/inbound/properties lacks /rawMessage.',
    ],
  ])('is refused for %s', async (_, change, message) => {
    await using hooks = await testHooks()
    const body = JSON.stringify({ ...mtaRegistration, ...change })
    expect(await askHook(hooks.url, { path: '/mta-hooks/01/register', headers: json, body })).toMatchObject({
      status: 400,
      json: { error: { code: 'INVALID_REQUEST', message } },
    })
  })
})
