import { describe, expect, it } from '@jest/globals'
import * as oidc from 'openid-client'
import { hostedSetup } from '../testing/hosted-setup.ts'

describe('the client_credentials grant', () => {
  const machine = {
    client: {
      secret: 'aSecretOfTwentyEight+Letters',
      grants: ['client_credentials'],
      scopes: ['orders/read'],
    },
    pool: { resourceServers: { orders: { scopes: { read: 'Read orders', write: 'Write them' } } } },
  } as const
  const setup = () =>
    hostedSetup({ client: { ...machine.client, callbacks: [] }, pool: machine.pool } as never)

  it('gives an access token with the scopes of the client', async () => {
    await using hosted = await setup()
    for (const authentication of [oidc.ClientSecretBasic, oidc.ClientSecretPost]) {
      const config = await hosted.configure('web', authentication(machine.client.secret))
      const tokens = await oidc.clientCredentialsGrant(config, { scope: 'orders/read' })
      const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1]!, 'base64url').toString())
      expect(claims).toMatchObject({
        sub: 'web',
        client_id: 'web',
        scope: 'orders/read',
        token_use: 'access',
      })
      expect([tokens.refresh_token, tokens.id_token, claims.username]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
      const refused = oidc.clientCredentialsGrant(config, { scope: 'orders/write' })
      await expect(refused).rejects.toMatchObject({ error: 'invalid_scope' })
      await expect(oidc.fetchUserInfo(config, tokens.access_token, 'web')).rejects.toMatchObject({
        status: 401,
      })
    }
  })

  it.each<[string, { [name: string]: string }, { [name: string]: string }]>([
    ['a wrong secret', { client_secret: 'aSecretOfTwentyEight+Letterz' }, {}],
    ['no secret', {}, {}],
    ['a wrong secret in the header', {}, { authorization: `Basic ${btoa('web:wrong')}` }],
    ['a malformed Authorization header', {}, { authorization: 'Basic %%%' }],
    ['an unknown client id', { client_id: 'none', client_secret: machine.client.secret }, {}],
  ])('gives no token for %s', async (_what, form, headers) => {
    await using hosted = await setup()
    const id = 'authorization' in headers ? {} : { client_id: 'web' }
    const answer = await hosted.post(
      '/oauth2/token',
      { grant_type: 'client_credentials', ...id, ...form },
      headers,
    )
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: 'invalid_client' }])
    expect(answer.headers.has('www-authenticate')).toBe('authorization' in headers)
  })

  it('is refused to clients that do not have it, and clients with only this grant cannot use any other', async () => {
    await using hosted = await setup()
    const own = { client_id: 'web', client_secret: machine.client.secret }
    const code = await hosted.post('/oauth2/token', { ...own, grant_type: 'authorization_code', code: 'x' })
    expect(await code.json()).toMatchObject({ error: 'unauthorized_client' })
    const other = await hosted.post('/oauth2/token', { client_id: 'other', grant_type: 'client_credentials' })
    expect(await other.json()).toMatchObject({ error: 'unauthorized_client' })
    const unknown = await hosted.post('/oauth2/token', { ...own, grant_type: 'password' })
    expect(await unknown.json()).toMatchObject({ error: 'unsupported_grant_type' })
    const twice = await hosted.post(
      '/oauth2/token',
      { ...own, grant_type: 'client_credentials' },
      { authorization: `Basic ${btoa(`web:${machine.client.secret}`)}` },
    )
    expect(await twice.json()).toMatchObject({ error: 'invalid_request' })
  })
})
