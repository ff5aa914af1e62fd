import { createHash } from 'node:crypto'
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { describe, expect, it } from '@jest/globals'
import { listeningPool } from '../../../testing/listening-pool.ts'

const configured = 'eu-central-1_Staff01'

async function setupOf() {
  const running = await listeningPool()
  const client = new CognitoIdentityProvider({
    endpoint: running.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  })
  return {
    client,
    url: running.url,
    async [Symbol.asyncDispose]() {
      client.destroy()
      await running[Symbol.asyncDispose]()
    },
  }
}

it('the API stores and returns the CSS of hosted pages for one client or for all clients', async () => {
  await using setup = await setupOf()
  const { client } = setup
  const UserPoolId = (await client.createUserPool({ PoolName: 'made' })).UserPool!.Id!
  const { UserPoolClient } = await client.createUserPoolClient({ UserPoolId, ClientName: 'app' })
  const ClientId = UserPoolClient!.ClientId!
  const styles = async (more: object = {}) =>
    (await client.getUICustomization({ UserPoolId, ...more })).UICustomization
  expect(await styles()).toEqual({ UserPoolId, ClientId: 'ALL' })
  const CSS = '.banner-customizable { background: #fff; }'
  await client.setUICustomization({ UserPoolId, CSS })
  expect(await styles({ ClientId })).toMatchObject({ ClientId: 'ALL', CSS, CreationDate: expect.any(Date) })
  await client.setUICustomization({ UserPoolId, ClientId, CSS: '' })
  expect(await styles({ ClientId })).toMatchObject({ ClientId, CSS: '' })
  expect(await styles()).toMatchObject({ CSS })
  for (const refused of [
    client.setUICustomization({ UserPoolId: configured, CSS }),
    client.setUICustomization({ UserPoolId, ImageFile: Buffer.from('x') }),
    client.setUICustomization({ UserPoolId, ClientId: 'none', CSS }),
    client.getUICustomization({ UserPoolId, ClientId: 'none' }),
  ])
    await expect(refused).rejects.toThrow(/configuration|Images|does not exist/)
})

describe('the CSS of hosted pages', () => {
  async function styledPool() {
    const setup = await setupOf()
    const { client } = setup
    const UserPoolId = (await client.createUserPool({ PoolName: 'made' })).UserPool!.Id!
    const clientOf = async (ClientName: string) => {
      const { UserPoolClient } = await client.createUserPoolClient({
        ...{
          UserPoolId,
          ClientName,
          CallbackURLs: ['http://localhost:3000/cb'],
          AllowedOAuthFlows: ['code'],
        },
        ...{
          AllowedOAuthFlowsUserPoolClient: true,
          AllowedOAuthScopes: ['openid'],
          SupportedIdentityProviders: ['COGNITO'],
        },
      })
      return UserPoolClient!.ClientId!
    }
    const set = (CSS: string, ClientId?: string) =>
      client.setUICustomization({ UserPoolId, CSS, ...(ClientId !== undefined && { ClientId }) })
    /** Resolves to the styles of the page on which users of a client sign in, and to whether browsers apply them. */
    const stylesOf = async (client_id: string) => {
      const query = new URLSearchParams({
        ...{ client_id, response_type: 'code', redirect_uri: 'http://localhost:3000/cb', scope: 'openid' },
        ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
      })
      const page = await fetch(`${setup.url}/${UserPoolId}/login?${query}`)
      const styles = /<style>(.*?)<\/style>/s.exec(await page.text())![1]!
      const digest = createHash('sha256').update(styles).digest('base64')
      expect(page.headers.get('content-security-policy')).toContain(`style-src 'sha256-${digest}'`)
      return styles
    }
    return { set, clientOf, stylesOf, [Symbol.asyncDispose]: () => setup[Symbol.asyncDispose]() }
  }

  it('colors the pages of one client or of all clients', async () => {
    await using setup = await styledPool()
    const [app, shop] = [await setup.clientOf('app'), await setup.clientOf('shop')]
    expect(await setup.stylesOf(app)).not.toContain('light; }')
    await setup.set(
      '/* ours /* */ .submitButton-customizable{ color : #fff; background-color: #7A1FA2 !important; height: 40px; }\n.submitButton-customizable:hover, .label-customizable { font-weight: 700 }',
    )
    const all = `:root { color-scheme: light; }
button:not(.second) { color: #fff; background-color: #7A1FA2; }
button:not(.second):hover { font-weight: 700; }
label { font-weight: 700; }`
    for (const client of [app, shop]) expect((await setup.stylesOf(client)).endsWith(all)).toBe(true)
    await setup.set(
      '.inputField-customizable { border: 1px solid red; border-color: blue } .inputField-customizable { border: 0 }',
      app,
    )
    // A border replaces the color of one that came before it.
    expect(await setup.stylesOf(app)).toMatch(/\{ border-color: blue; border: 0; \}$/)
    await setup.set('.background-customizable { background: lightgray; }', app)
    expect(await setup.stylesOf(app)).toMatch(/\nbody \{ background-color: lightgray; \}$/)
    expect((await setup.stylesOf(shop)).endsWith(all)).toBe(true)
    await setup.set('', app)
    expect(await setup.stylesOf(app)).not.toContain('light; }')
  })

  it('of the template that the service offers is accepted', async () => {
    await using setup = await styledPool()
    const app = await setup.clientOf('app')
    await setup.set(`
      .logo-customizable { max-width: 60%; max-height: 30%; }
      .banner-customizable { padding: 25px 0px 25px 0px; background-color: lightgray; }
      .textDescription-customizable { padding-top: 10px; display: block; font-size: 16px; }
      .submitButton-customizable { font-size: 14px; font-weight: bold; margin: 20px 0px 10px 0px; width: 100%; color: #fff; background-color: #337ab7; }
      .errorMessage-customizable { padding: 5px; background: #F5F5F5; border: 2px solid #D64958; color: #D64958; }
      .inputField-customizable { height: 34px; color: #555; background-color: #fff; border: 1px solid #ccc; }
      .inputField-customizable:focus { border-color: #66afe9; outline: 0; }
      .idpButton-customizable { text-align: center; margin-bottom: 15px; color: #fff; border-color: #46b8da; }
      .socialButton-customizable { border-radius: 2px; height: 60px; text-align: left; }
      .redirect-customizable { text-align: center; }
      .passwordCheck-valid-customizable { color: #19BF00; }`)
    const styles = await setup.stylesOf(app)
    expect(styles).toContain(
      'main .wrong { background-color: #F5F5F5; border: 2px solid #D64958; color: #D64958; }',
    )
    for (const left of ['customizable', '60%', '19BF00', '34px']) expect(styles).not.toContain(left)
  })

  it.each([
    [
      'a selector of its own',
      'body { color: red }',
      'the selector "body" is not one of .background-customizable',
    ],
    [
      'an import',
      '@import "https://evil.example/x.css";',
      '"@import \\"https://evil.example/x.css\\";" is not a rule',
    ],
    ['an import before a rule', '@import "x"; .label-customizable {}', 'the selector "@import'],
    [
      'an address',
      '.background-customizable { background: url(https://evil.example/x) }',
      'has a value that cannot be used',
    ],
    [
      'the end of the styles',
      '.label-customizable { color: </style><script>alert(1)</script> }',
      'cannot be used',
    ],
    ['a property without effect', '.label-customizable { content: "x" }', '"content: \\"x\\"" has no effect'],
    ['half a rule', '.label-customizable { color: red', 'is not a rule'],
    ['a name of every object', '.constructor { color: red }', 'the selector ".constructor" is not one of'],
  ])('is refused with its reason if it has %s', async (_what, css, reason) => {
    await using setup = await styledPool()
    const app = await setup.clientOf('app')
    const before = await setup.stylesOf(app)
    await expect(setup.set(css)).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: expect.stringContaining(reason),
    })
    expect(await setup.stylesOf(app)).toBe(before)
  })
})
