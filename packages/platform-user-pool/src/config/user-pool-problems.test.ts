import { describe, expect, it } from '@jest/globals'
import { configProblems, settingsOf } from '../testing/pool-program.ts'
import { userPoolsPart } from './user-pools-part.ts'

const functions = { work: { handler: () => ({}) } }
const lines = (pool: object, more: object = {}) =>
  configProblems({ functions, userPools: { staff: { clients: { web: {} }, ...pool } }, ...more }).map(
    ({ pointer }) => pointer,
  )

describe('the user-pool configuration', () => {
  it('is valid with all supported keys', () => {
    expect(
      lines({
        id: 'eu-central-1_Staff01',
        triggers: { function: 'work', routes: ['PreSignUp', 'TokenGeneration_HostedAuth'], version: 2 },
        signIn: ['name', 'email', 'phone', 'preferred_username'],
        required: ['email'],
        custom: { tenant: 'string', seats: 'number', paid: 'boolean' },
        verify: ['email', 'phone'],
        signUp: false,
        password: { min: 6, lower: false, upper: false, digits: false, symbols: false, temporaryDays: 1 },
        domain: 'staff',
        resourceServers: { orders: { name: 'Orders', scopes: { read: 'Read orders' } } },
        identityProviders: {
          Staff: {
            issuer: 'https://login.example',
            clientId: 'pool',
            clientSecret: 'secret',
            scopes: ['openid'],
            attributes: { email: 'email' },
            identifiers: ['example.com'],
          },
        },
        groups: { admins: { precedence: 1, role: 'rule', description: 'all' } },
        clients: {
          web: {
            id: 'web',
            flows: ['srp', 'password', 'custom', 'admin', 'refresh'],
            secret: true,
            hideUsers: false,
            refresh: { days: 1, rotate: true, grace: 60 },
            accessMinutes: 5,
            idMinutes: 5,
            sessionMinutes: 15,
            callbacks: ['https://app.example/cb', 'com.example.app://cb'],
            logouts: ['http://localhost:3000/'],
            grants: ['code', 'client_credentials'],
            scopes: ['openid', 'aws.cognito.signin.user.admin', 'orders/read'],
            providers: ['Staff'],
          },
        },
      }),
    ).toEqual([])
    expect(
      lines({ triggers: { PreSignUp: 'work', TokenGeneration: { function: 'work', version: 3 } } }),
    ).toEqual([])
  })

  it.each<[string, object, string[]]>([
    ['a malformed id', { id: 'staff' }, ['/userPools/staff/id']],
    ['an unknown key', { colour: 1 }, ['/userPools/staff/colour']],
    ['no clients', { clients: undefined }, ['/userPools/staff/clients']],
    ['a string instead of an object for the triggers', { triggers: 'work' }, ['/userPools/staff/triggers']],
    ['an unknown trigger', { triggers: { PreSignup: 'work' } }, ['/userPools/staff/triggers/PreSignup']],
    [
      'a trigger with an unknown function',
      { triggers: { PreSignUp: 'wrok' } },
      ['/userPools/staff/triggers/PreSignUp'],
    ],
    [
      'an event version that the trigger does not have',
      { triggers: { PreSignUp: { function: 'work', version: 2 } } },
      ['/userPools/staff/triggers/PreSignUp/version'],
    ],
    [
      'one function for all triggers without routes',
      { triggers: { function: 'work' } },
      ['/userPools/staff/triggers/routes'],
    ],
    [
      'an unknown trigger in routes',
      { triggers: { function: 'work', routes: ['Pre'] } },
      ['/userPools/staff/triggers/routes/0'],
    ],
    ['an invalid domain', { domain: 'Staff.' }, ['/userPools/staff/domain']],
    [
      'a space in the name of a scope',
      { resourceServers: { orders: { scopes: { 'a b': '' } } } },
      ['/userPools/staff/resourceServers/orders/scopes'],
    ],
    [
      'an issuer that is not a URL',
      { identityProviders: { Staff: { issuer: 'x', clientId: 'y' } } },
      ['/userPools/staff/identityProviders/Staff/issuer'],
    ],
    [
      'a callback without TLS',
      { clients: { web: { callbacks: ['http://app.example/cb'] } } },
      ['/userPools/staff/clients/web/callbacks/0'],
    ],
    [
      'a fragment in a logout address',
      { clients: { web: { logouts: ['https://app.example/#'] } } },
      ['/userPools/staff/clients/web/logouts/0'],
    ],
    [
      'a scope of an unknown resource server',
      { clients: { web: { scopes: ['openid', 'orders/read'] } } },
      ['/userPools/staff/clients/web/scopes/1'],
    ],
    [
      'a client with an unknown provider',
      { clients: { web: { providers: ['Staff'] } } },
      ['/userPools/staff/clients/web/providers/0'],
    ],
    [
      'an unsupported grant',
      { clients: { web: { grants: ['implicit'] } } },
      ['/userPools/staff/clients/web/grants/0'],
    ],
    [
      'the grant client_credentials without a secret',
      { clients: { web: { grants: ['client_credentials'] } } },
      ['/userPools/staff/clients/web/secret'],
    ],
    [
      'an unknown flow',
      { clients: { web: { flows: ['srp', 'SRP'] } } },
      ['/userPools/staff/clients/web/flows/1'],
    ],
    ['a repeated sign-in name', { signIn: ['email', 'email'] }, ['/userPools/staff/signIn']],
    [
      'a required custom attribute',
      { required: ['tenant'], custom: { tenant: 'string' } },
      ['/userPools/staff/required/0'],
    ],
    ['an unknown attribute type', { custom: { tenant: 'text' } }, ['/userPools/staff/custom']],
    ['a minimum password length of 5', { password: { min: 5 } }, ['/userPools/staff/password/min']],
    [
      'a grace period of 61 seconds',
      { clients: { web: { refresh: { grace: 61 } } } },
      ['/userPools/staff/clients/web/refresh/grace'],
    ],
    [
      'a client secret that is too short',
      { clients: { web: { secret: 'short' } } },
      ['/userPools/staff/clients/web/secret'],
    ],
    [
      'one id for two clients',
      { clients: { a: { id: 'x' }, b: { id: 'x' } } },
      ['/userPools/staff/clients/b/id'],
    ],
    [
      'a slash in the name of a client',
      { clients: { a: { id: 'x' }, 'b/c': { id: 'x' } } },
      ['/userPools/staff/clients/b~1c', '/userPools/staff/clients/b~1c/id'],
    ],
  ])('is refused with %s', (_case, pool, pointers) => expect(lines(pool)).toEqual(pointers))

  it('is refused with invalid or unknown listener settings', () => {
    expect(lines({}, { userPoolListener: { port: -1, issuer: 'pools.example/', tsl: {} } })).toEqual([
      '/userPoolListener/port',
      '/userPoolListener/issuer',
      '/userPoolListener/tsl',
    ])
  })

  it('is refused with an invalid administrators’ access key or TLS certificate', () => {
    const listener = (part: object) => lines({}, { userPoolListener: part })
    const at = '/userPoolListener/admin'
    const accessKeyId = 'AKIDADMINISTRATOR'
    expect(listener({ admin: { accessKeyId: 'short' } })).toEqual([
      `${at}/accessKeyId`,
      `${at}/secretAccessKey`,
    ])
    for (const secretAccessKey of ['', { env: 'A', file: 'b' }, { path: 'a' }, 7])
      expect(listener({ admin: { accessKeyId, secretAccessKey } })).toEqual([`${at}/secretAccessKey`])
    for (const secretAccessKey of ['a', { env: 'A' }, { file: 'a' }])
      expect(listener({ admin: { accessKeyId, secretAccessKey } })).toEqual([])
    expect(listener({ tls: { cert: 'a' } })).toEqual(['/userPoolListener/tls/key'])
    const settings = (part: object) => () =>
      settingsOf(
        { userPools: { staff: { clients: { web: {} } } }, userPoolListener: part, dataDir: ':memory:' },
        '/nowhere',
      )
    expect(settings({ tls: { cert: 'a', key: 'b' } })).toThrow('/userPoolListener/tls/cert: expected a file')
    expect(settings({ admin: { accessKeyId, secretAccessKey: { env: 'NO_SUCH_VARIABLE' } } })).toThrow(
      'a value in the environment variable NO_SUCH_VARIABLE',
    )
    expect(settings({ admin: { accessKeyId, secretAccessKey: { file: 'a' } } })).toThrow(
      `${at}/secretAccessKey: expected a file`,
    )
  })

  it('gives each pool and client a stable id that has the form of a Cognito id', () => {
    const poolOf = (region?: string) =>
      settingsOf(
        { userPools: { staff: { clients: { web: {} } } }, dataDir: ':memory:', ...(region && { region }) },
        '/',
      ).of(userPoolsPart)!.pools[0]!
    expect(poolOf().id).toMatch(/^xx-local-1_[0-9a-zA-Z]{9}$/)
    expect(poolOf().id).toBe(poolOf().id)
    expect(poolOf('eu-central-1').id).toMatch(/^eu-central-1_/)
    expect(poolOf().clients[0]!.id).toMatch(/^[0-9a-z]{26}$/)
  })

  it('limits what clients without credentials can do, even if it names no limits', () => {
    const { pools } = settingsOf(
      {
        userPools: { staff: { clients: { web: {} } }, few: { limits: { signUps: 9 }, clients: { web: {} } } },
        dataDir: ':memory:',
      },
      '/',
    ).of(userPoolsPart)!
    const defaults = {
      ...{ signUps: 10_000, signUpsPerAddress: 1000, messages: 50 },
      ...{ devices: 3000, devicesPerAddress: 60, deviceCodesPerAddress: 20 },
      ...{ documents: 600, documentsPerAddress: 30 },
    }
    expect(pools.map(({ limits }) => limits)).toEqual([defaults, { ...defaults, signUps: 9 }])
  })

  it('prefers the function of a trigger source, such as CustomMessage_SignUp, to the function of its trigger', () => {
    const triggers = { CustomMessage_SignUp: 'other', CustomMessage: 'work' } as const
    const { pools } = settingsOf(
      {
        functions: { ...functions, other: { handler: () => ({}) } },
        userPools: { staff: { triggers, clients: { web: {} } } },
        dataDir: ':memory:',
      },
      '/',
    ).of(userPoolsPart)!
    const { triggers: routed } = pools[0]!
    expect(routed.get('CustomMessage_SignUp')?.functionName).toBe('other')
    expect(routed.get('CustomMessage_ResendCode')?.functionName).toBe('work')
    expect(routed.has('PreSignUp_SignUp')).toBe(false)
  })
})
