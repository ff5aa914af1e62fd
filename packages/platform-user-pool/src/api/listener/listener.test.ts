import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { talk } from '@signalbox/platform-runtime/testing/raw-client'
import { listeningPool } from '../../testing/listening-pool.ts'

const target = (operation: string) => ({
  'content-type': 'application/x-amz-json-1.1',
  'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
})

const post = (url: string, operation: string, input: object, headers: object = {}) =>
  fetch(url, { method: 'POST', headers: { ...target(operation), ...headers }, body: JSON.stringify(input) })

describe('the user-pool listener', () => {
  it('lets web pages call only the operations that need no AWS credentials', async () => {
    await using setup = await listeningPool()
    const origin = 'https://shop.example'
    const asked = await fetch(setup.url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe('*')
    expect(asked.headers.get('access-control-allow-headers')).toContain('x-amz-target')
    const input = {
      ClientId: 'web',
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'a', PASSWORD: 'b' },
    }
    const wrong = await post(setup.url, 'InitiateAuth', input, { origin })
    expect(wrong.status).toBe(400)
    expect(wrong.headers.get('access-control-allow-origin')).toBe('*')
    expect(wrong.headers.get('x-amzn-errortype')).toBe('NotAuthorizedException:')
    expect(await wrong.json()).toEqual({
      __type: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    })
    const listed = { UserPoolId: 'eu-central-1_Staff01' }
    expect((await post(setup.url, 'ListUsers', listed, { origin })).status).toBe(403)
    expect((await post(setup.url, 'ListUsers', listed)).status).toBe(200)
  })

  it('refuses requests whose Host header names another host', async () => {
    await using setup = await listeningPool()
    const { port } = new URL(setup.url)
    const status = await new Promise((resolve, reject) => {
      const options = { port, method: 'POST', headers: { ...target('ListUserPools'), host: 'evil.example' } }
      request(options, response => resolve(response.resume().statusCode))
        .on('error', reject)
        .end('{}')
    })
    expect(status).toBe(403)
  })

  it.each([
    ['GET', '/', 404],
    ['GET', '/eu-central-1_Other/.well-known/jwks.json', 404],
    ['GET', '/eu-central-1_Staff01/.well-known/openid-configuration', 200],
    ['HEAD', '/eu-central-1_Staff01/.well-known/jwks.json', 200],
    ['PUT', '/', 400],
    ['POST', '/other', 400],
  ])('answers “%s %s” with the status %p', async (method, path, status) => {
    await using setup = await listeningPool()
    const response = await fetch(setup.url + path, { method })
    expect(response.status).toBe(status)
    if (method === 'GET' && status === 200)
      expect(await response.json()).toMatchObject({
        issuer: `${setup.url}/eu-central-1_Staff01`,
        jwks_uri: `${setup.url}/eu-central-1_Staff01/.well-known/jwks.json`,
      })
  })

  it.each([
    ['truncated JSON', '{', 'SerializationException', 400],
    ['a JSON array', '[]', 'SerializationException', 400],
    ['longer than 128 KB', `"${'a'.repeat(128 * 1024)}"`, 'RequestEntityTooLargeException', 413],
  ])('refuses a body that is %s', async (_case, body, type, status) => {
    await using setup = await listeningPool()
    const response = await fetch(setup.url, { method: 'POST', headers: target('SignUp'), body })
    expect([response.status, await response.json()]).toEqual([
      status,
      expect.objectContaining({ __type: type }),
    ])
  })

  it('refuses a new pool whose configuration is nested too deeply to be stored', async () => {
    await using setup = await listeningPool()
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)
    const body = `{"PoolName":"a","EmailConfiguration":{"a":${deep}}}`
    const response = await fetch(setup.url, { method: 'POST', headers: target('CreateUserPool'), body })
    const message = 'The body is nested more than 100 levels deep.'
    expect([response.status, await response.json()]).toEqual([
      400,
      { __type: 'SerializationException', message },
    ])
  })

  it('refuses a user name that no account can have, before it stores anything', async () => {
    await using setup = await listeningPool()
    const begin = { ClientId: 'web', AuthFlow: 'USER_SRP_AUTH' }
    const answerTo = async (length: number) => {
      const AuthParameters = { USERNAME: 'a'.repeat(length), SRP_A: 'ab' }
      const response = await post(setup.url, 'InitiateAuth', { ...begin, AuthParameters })
      return response.json()
    }
    expect(await answerTo(2048)).toHaveProperty('ChallengeName', 'PASSWORD_VERIFIER')
    expect(await answerTo(2049)).toEqual({
      __type: 'InvalidParameterException',
      message: 'USERNAME is longer than 2048 characters.',
    })
  })

  it('answers a client that half-closes its connection after the request', async () => {
    const answers = { PreSignUp_SignUp: () => delay(30, { autoConfirmUser: true }) }
    await using setup = await listeningPool({ answers })
    const input = JSON.stringify({ ClientId: 'web', Username: 'ann', Password: 'Correct-horse-7!' })
    const lines = [
      'POST / HTTP/1.1',
      'Host: localhost',
      `Content-Length: ${input.length}`,
      `X-Amz-Target: ${target('SignUp')['x-amz-target']}`,
      '',
      input,
    ]
    const { responses, closed } = await talk(setup.url, lines.join('\r\n'), { halfClose: true })
    expect(responses.map(({ body }) => JSON.parse(body.toString()))).toMatchObject([{ UserConfirmed: true }])
    expect(closed).toBe(true)
  })

  it('stops within its grace period even when a client has sent only half of a request', async () => {
    await using setup = await listeningPool()
    const socket = connect(Number(new URL(setup.url).port))
    const lines = [
      'POST / HTTP/1.1',
      'Host: localhost',
      'Content-Length: 2',
      `X-Amz-Target: ${target('InitiateAuth')['x-amz-target']}`,
      '',
      '{',
    ]
    socket.on('error', () => {}).write(lines.join('\r\n'))
    const closed = once(socket, 'close')
    await once(socket, 'connect')
    await setup.platform.stop()
    await closed
  })
})
