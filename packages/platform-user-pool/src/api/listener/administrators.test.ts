import { chmodSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { describe, expect, it } from '@jest/globals'
import { signatureHeaders } from '@signalbox/platform-runtime/signature'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { listeningPool } from '../../testing/listening-pool.ts'
import { signalbox } from '../../testing/pool-program.ts'

const admin = { accessKeyId: 'AKIDADMINISTRATOR', secretAccessKey: 'a secret of administrators' }
const UserPoolId = 'eu-central-1_Staff01'

function sdk(endpoint: string, credentials: { accessKeyId: string; secretAccessKey: string }) {
  const client = new CognitoIdentityProvider({
    endpoint,
    region: 'eu-central-1',
    // The SDK client modifies the credentials object, so it gets a copy.
    credentials: { ...credentials },
    maxAttempts: 1,
  })
  return Object.assign(client, { [Symbol.dispose]: () => client.destroy() })
}

describe("with an administrators' access key", () => {
  it('the AWS SDK can administer users only with this key', async () => {
    await using setup = await listeningPool({}, ':memory:', { admin })
    using known = sdk(setup.url, admin)
    expect(await known.adminCreateUser({ UserPoolId, Username: 'änn' })).toMatchObject({
      User: { Username: 'änn' },
    })
    expect(await known.listUsers({ UserPoolId })).toMatchObject({ Users: [{ Username: 'änn' }] })
    using wrong = sdk(setup.url, { ...admin, secretAccessKey: 'another' })
    await expect(wrong.listUsers({ UserPoolId })).rejects.toMatchObject({ name: 'InvalidSignatureException' })
    using unknown = sdk(setup.url, { ...admin, accessKeyId: 'AKIDSOMEBODYELSE' })
    await expect(unknown.listUsers({ UserPoolId })).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
      message: 'The security token included in the request is invalid.',
      $metadata: { httpStatusCode: 400 },
    })
    await expect(unknown.forgotPassword({ ClientId: 'web', Username: 'ann' })).resolves.toBeDefined()
    expect(setup.notices.join()).not.toContain(admin.secretAccessKey)
  })

  it('a signed request is refused if it was altered or is older than fifteen minutes', async () => {
    await using setup = await listeningPool({}, ':memory:', { admin })
    const { host } = new URL(setup.url)
    const target = 'AWSCognitoIdentityProviderService.ListUsers'
    const headers = { host, 'x-amz-target': target }
    const body = JSON.stringify({ UserPoolId })
    const signed = (now: number) =>
      signatureHeaders(
        { method: 'POST', target: '/', headers: Object.entries(headers).flat(), body: Buffer.from(body) },
        admin,
        { region: 'eu-central-1', service: 'cognito-idp', now },
      )
    const send = async (more: object, sent = body) => {
      const answer = await fetch(setup.url, {
        method: 'POST',
        headers: { 'x-amz-target': target, ...more },
        body: sent,
      })
      return ((await answer.json()) as { readonly __type?: string }).__type
    }
    const now = Date.now()
    expect(await send(signed(now))).toBeUndefined()
    expect(await send({})).toBe('MissingAuthenticationTokenException')
    expect(await send(signed(now), '{}')).toBe('InvalidSignatureException')
    expect(await send({ ...signed(now), 'x-amz-target': target.replace('ListUsers', 'ListUserPools') })).toBe(
      'InvalidSignatureException',
    )
    expect(await send(signed(now - 16 * 60_000))).toBe('InvalidSignatureException')
    expect(await send({ ...signed(now), origin: 'https://shop.example' })).toBe('AccessDeniedException')
  })
})

describe('with a TLS certificate', () => {
  it('clients connect over https, and commands sign their requests with a key from a file', async () => {
    using folder = temporaryFolder()
    const path = (name: string) => join(folder.path, name)
    writeFileSync(path('cert.pem'), certificate.cert)
    writeFileSync(path('key.pem'), certificate.key)
    writeFileSync(path('admin'), `${admin.secretAccessKey}\n`, { mode: 0o600 })
    const listener = {
      tls: { cert: path('cert.pem'), key: path('key.pem') },
      admin: { accessKeyId: admin.accessKeyId, secretAccessKey: { file: path('admin') } },
    }
    await using setup = await listeningPool({}, path('data'), listener)
    expect(setup.url).toMatch(/^https:/)
    const discovery = await new Promise((resolve, reject) =>
      request(
        `${setup.url}/${UserPoolId}/.well-known/openid-configuration`,
        { ca: certificate.cert, agent: false },
        response => json(response).then(resolve, reject),
      )
        .on('error', reject)
        .end(),
    )
    expect(discovery).toMatchObject({ issuer: `${setup.url}/${UserPoolId}` })

    const pool = { id: UserPoolId, clients: { web: { id: 'web' } } }
    let count = 0
    const run = (more: object = {}) => {
      const name = `config${++count}.mjs`
      const config = {
        userPools: { staff: pool },
        userPoolListener: { ...listener, ...more },
        dataDir: 'data',
      }
      writeFileSync(path(name), `export default ${JSON.stringify(config)}`)
      return signalbox(folder.path, 'pools', '--config', name)
    }
    expect(await run()).toMatchObject({ exitCode: 0, printedErrors: '' })
    expect((await run({ admin: undefined })).printedErrors).toContain('Missing Authentication Token')
    chmodSync(path('admin'), 0o644)
    expect((await run()).printedErrors).toContain('a file that only its owner can read (mode 600)')
  })
})
