import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { parse } from 'yaml'
import { readTemplate, writeTemplate } from '../index.ts'
import { comparable } from '../testing/comparable.ts'
import { config } from '../testing/example-configuration.ts'
import { planned } from '../testing/terraform-plan.ts'

const folder = temporaryFolder()
afterAll(() => folder[Symbol.dispose]())
for (const path of ['orders/index.mjs', 'web/app.mts', 'py/app.py', 'own/bootstrap']) {
  mkdirSync(dirname(join(folder.path, path)), { recursive: true })
  writeFileSync(join(folder.path, path), '')
}

const options = {
  root: folder.path,
  template: folder.path,
  python: () => ['python3', 'runtime.py'],
  keep: () => folder.path,
  region: 'eu-central-1',
  account: '000000000000',
  stack: 'shop',
}

describe('a configuration as a template', () => {
  it('of SAM is the same configuration when it is read', () => {
    const text = writeTemplate('sam', config)
    expect(text).not.toContain('hunter2000')
    const found = readTemplate(text, {
      ...options,
      parameters: { Subnets: 'a,b', PartnerSecret: 'hunter2000' },
    })
    expect(found.warnings.filter(({ kind }) => kind === 'missing')).toEqual([])
    expect(comparable(found.config)).toEqual(comparable(config))
  })

  it('of Terraform is the same configuration when its plan is read', () => {
    const text = writeTemplate('terraform', config)
    expect(text).not.toContain('hunter2000')
    const program = temporaryFolder()
    using _ = program
    writeFileSync(join(program.path, 'main.tf.json'), text)
    for (const path of ['orders/index.mjs', 'web/app.mts', 'py/app.py', 'own/bootstrap']) {
      mkdirSync(dirname(join(program.path, path)), { recursive: true })
      writeFileSync(join(program.path, path), '')
    }
    const found = readTemplate(planned(JSON.parse(text)), {
      ...options,
      root: program.path,
      template: program.path,
      parameters: {},
    })
    expect(found.warnings.filter(({ kind }) => kind === 'missing')).toEqual([])
    const { env, ...orders } = config.functions.orders
    const wanted = comparable(config) as typeof config
    const { userPools, functions } = comparable(found.config) as typeof config
    expect(functions).toEqual({ ...wanted.functions, orders: { ...orders, env } })
    expect(comparable(found.config)).toMatchObject({
      queues: wanted.queues,
      loadBalancers: wanted.loadBalancers,
    })
    expect(userPools.staff).toEqual({
      ...wanted.userPools.staff,
      identityProviders: { Partner: expect.objectContaining({ clientSecret: 'PartnerSecret' }) },
    })
  })

  it('has users sign in, checks tokens, keeps clients with a function and rewrites as before', () => {
    const claims = [{ name: 'scope', format: 'words', values: ['read', 'write'] }]
    const provider = {
      ...{ issuer: 'https://id.example', clientId: 'shop', clientSecret: 'hunter2000' },
      authorizationEndpoint: 'https://id.example/a',
      tokenEndpoint: 'https://id.example/t',
      userInfoEndpoint: 'https://id.example/u',
    }
    const { staff } = config.userPools
    const callbacks = ['https://shop.example', 'http://127.0.0.1:8443', 'http://localhost:8443'].map(
      origin => `${origin}/oauth2/idpresponse`,
    )
    const signing = {
      ...config,
      userPools: { staff: { ...staff, clients: { app: { ...staff.clients.app, callbacks } } } },
      loadBalancers: {
        inside: {
          ...{
            port: 8443,
            function: 'web',
            authenticate: { pool: 'staff', client: 'app', scope: 'openid email' },
          },
          rules: [
            {
              path: ['/provider'],
              respond: { status: 200, body: 'in' },
              authenticate: {
                ...{
                  ...provider,
                  sessionCookie: 'Own',
                  sessionTimeout: 60,
                  parameters: { ui_locales: 'de' },
                },
                onUnauthenticatedRequest: 'deny',
              },
            },
            { path: ['/again'], function: 'orders', authenticate: provider },
            {
              path: ['/token'],
              function: 'web',
              validateJwt: { issuer: 'https://id.example', keys: 'https://id.example/keys', claims },
              rewrite: { host: { regex: '^a', replace: 'b' }, path: { regex: '^/token', replace: '/$1' } },
            },
            {
              path: ['/sticky'],
              sticky: 60,
              forward: [
                { function: 'web', weight: 1 },
                { function: 'orders', weight: 2 },
              ],
            },
          ],
        },
      },
    }
    const text = writeTemplate('sam', signing)
    expect(text).not.toContain('hunter2000')
    const found = readTemplate(text, {
      ...options,
      parameters: { ...{ Subnets: 'a', Certificate: 'c' }, PartnerSecret: 'x', insideClientSecret: 'y' },
    })
    const { authenticate } = (
      found.config.loadBalancers!.inside as { rules: { authenticate: { clientSecret: string } }[] }
    ).rules[0]!
    expect(authenticate.clientSecret).toBe('y')
    const secret = (part: unknown) => JSON.parse(JSON.stringify(part).replaceAll('hunter2000', 'y')) as object
    expect(comparable(found.config.loadBalancers)).toEqual(comparable(secret(signing.loadBalancers)))
    expect(found.config.userPools).toMatchObject({ staff: { clients: { app: { callbacks } } } })
    expect(found.warnings.filter(({ kind }) => kind === 'missing')).toEqual([
      expect.objectContaining({ text: expect.stringContaining('its certificate is not here') }),
    ])
    const { Parameters } = parse(text) as { Parameters: object }
    expect(Parameters).toMatchObject({
      insideClientSecret: { NoEcho: true },
      PartnerSecret: { NoEcho: true },
    })

    const { resource, variable } = JSON.parse(writeTemplate('terraform', signing)) as {
      resource: { aws_lb_listener: object; aws_lb_listener_rule: object }
      variable: object
    }
    expect(resource.aws_lb_listener).toMatchObject({
      inside: {
        protocol: 'HTTPS',
        default_action: [
          {
            ...{ type: 'authenticate-cognito', order: 1 },
            authenticate_cognito: {
              user_pool_arn: '${aws_cognito_user_pool.staff.arn}',
              user_pool_client_id: expect.stringMatching(/^\$\{aws_cognito_user_pool_client\.\w+\.id\}$/),
              user_pool_domain: expect.stringMatching(/^\$\{aws_cognito_user_pool_domain\.\w+\.domain\}$/),
              scope: 'openid email',
            },
          },
          { type: 'forward', order: 2 },
        ],
      },
    })
    expect(Object.values(resource.aws_lb_listener_rule)).toMatchObject([
      {
        action: [
          {
            type: 'authenticate-oidc',
            authenticate_oidc: {
              client_secret: '${var.insideClientSecret}',
              user_info_endpoint: 'https://id.example/u',
              session_cookie_name: 'Own',
              on_unauthenticated_request: 'deny',
              authentication_request_extra_params: { ui_locales: 'de' },
            },
          },
          { type: 'fixed-response' },
        ],
      },
      { action: [{ type: 'authenticate-oidc' }, { type: 'forward' }] },
      {
        action: [
          {
            type: 'jwt-validation',
            jwt_validation: {
              jwks_endpoint: 'https://id.example/keys',
              additional_claim: [
                { name: 'scope', format: 'space-separated-values', values: ['read', 'write'] },
              ],
            },
          },
          { type: 'forward' },
        ],
        transform: [
          {
            type: 'host-header-rewrite',
            host_header_rewrite_config: { rewrite: [{ regex: '^a', replace: 'b' }] },
          },
          { type: 'url-rewrite', url_rewrite_config: { rewrite: [{ regex: '^/token', replace: '/$1' }] } },
        ],
      },
      { action: [{ type: 'forward', forward: { stickiness: { enabled: true, duration: 60 } } }] },
    ])
    expect(variable).toMatchObject({ insideClientSecret: { sensitive: true } })
    expect(writeTemplate('cdk', signing)).toContain('noEcho: true')
  })

  it('has the expressions of conditions as before', () => {
    const rules = [
      { pathRegex: ['^/a+$'], hostRegex: ['^(a|b)\\.example$'], respond: { status: 200, body: 'in' } },
      { headersRegex: { 'x-a': ['^1'] }, headers: { 'x-b': ['2'] }, respond: { status: 200, body: 'in' } },
    ]
    const loadBalancers = { shop: { port: 8080, respond: { status: 404 }, rules } }
    const text = writeTemplate('sam', { ...config, loadBalancers })
    const found = readTemplate(text, { ...options, parameters: { Subnets: 'a', PartnerSecret: 'x' } })
    expect(found.config.loadBalancers).toMatchObject({ shop: { rules } })
    expect(writeTemplate('terraform', { ...config, loadBalancers })).toContain('"regex_values"')
  })

  it('names what the service refuses of a client', () => {
    const { staff } = config.userPools
    const app = {
      ...staff.clients.app,
      callbacks: ['http://shop.example/back', 'http://localhost:3000/back'],
    }
    const text = writeTemplate('sam', {
      ...{ ...config, userPools: { staff: { ...staff, clients: { app } } } },
      loadBalancers: {
        shop: { port: 8080, function: 'web', authenticate: { pool: 'staff', client: 'app' } },
      },
    })
    expect(text).toContain(
      '# - userPools.staff.clients.app.callbacks: the service refuses http://shop.example/back: it takes https, and http for localhost',
    )
    expect(text).toContain('until the client has the callback https://HOST/oauth2/idpresponse')
    expect(text).not.toContain('refuses http://localhost')
    expect(text).toContain('- http://shop.example/back')
  })

  it('lets nobody in where the service could not sign users in', () => {
    const { staff } = config.userPools
    const { domain: _, ...withoutDomain } = staff
    const found = readTemplate(
      writeTemplate('sam', {
        ...config,
        userPools: { staff: withoutDomain },
        loadBalancers: {
          shop: {
            ...{ port: 8080, function: 'web', authenticate: { issuer: 'https://id.example', clientId: 'a' } },
            rules: [
              { path: ['/pool'], function: 'web', authenticate: { pool: 'staff', client: 'app' } },
              { path: ['/open'], function: 'web' },
            ],
          },
        },
      }),
      { ...options, parameters: { Subnets: 'a', Certificate: 'c', PartnerSecret: 'x' } },
    )
    expect(found.config.loadBalancers).toMatchObject({
      shop: {
        respond: { status: 503 },
        rules: [
          { path: ['/pool'], respond: { status: 503 } },
          { path: ['/open'], function: 'web' },
        ],
      },
    })
  })

  it('has a dead-letter queue that is only named, of either kind', () => {
    const deadLetter = (queue: string) => ({ deadLetter: { queue, maxReceiveCount: 3 } })
    const only = {
      functions: { orders: config.functions.orders },
      queues: {
        orders: { function: 'orders', ...deadLetter('orders-dead') },
        mails: deadLetter('orders-dead'),
        'in.fifo': deadLetter('dead.fifo'),
      },
    }
    const { queues } = readTemplate(writeTemplate('sam', only), { ...options, parameters: {} }).config
    expect(queues).toEqual({
      orders: expect.objectContaining(only.queues.orders),
      mails: expect.objectContaining(only.queues.mails),
      'in.fifo': expect.objectContaining(only.queues['in.fifo']),
      'orders-dead': expect.not.objectContaining({ function: expect.anything() }),
      'dead.fifo': expect.anything(),
    })
    const { resource } = JSON.parse(writeTemplate('terraform', only)) as {
      resource: { aws_sqs_queue: object }
    }
    expect(resource.aws_sqs_queue).toMatchObject({
      ordersQueue: { redrive_policy: expect.stringContaining('aws_sqs_queue.OrdersDead.arn') },
      OrdersDead: { name: 'orders-dead' },
      DeadFifo: { name: 'dead.fifo', fifo_queue: true },
    })
    const program = writeTemplate('cdk', only)
    expect(program).toContain("Fn.getAtt('OrdersDead'")
    expect(program.split("new CfnResource(this, 'OrdersDead'")).toHaveLength(2)
  })

  it('says what the platform does by default, and what the service would do otherwise', () => {
    const written = {
      functions: { orders: config.functions.orders },
      invoke: { port: 9332, maximumRetryAttempts: 0, functions: { orders: { maximumEventAge: 60 } } },
      userPools: {
        staff: {
          signIn: ['email', 'phone'],
          mfa: { mode: 'optional', by: ['sms'] },
          passkeys: { relyingParty: 'shop.example', userVerification: 'required', bothFactors: true },
          resourceServers: { orders: { identifier: 'https://api.example', scopes: { read: 'Read' } } },
          clients: {
            web: { callbacks: ['https://shop.example/back'], grants: ['code', 'device_code'] },
            tv: { grants: ['device_code'] },
          },
        },
      },
    }
    const places = [
      'userPools.staff: the service sends texts with a role for its SmsConfiguration',
      'userPools.staff.clients.web.grants: the service has no grant device_code',
      'userPools.staff.clients.tv.grants: the service has no grant device_code',
      'invoke.maximumRetryAttempts',
      'invoke.functions',
    ]
    const sam = writeTemplate('sam', written)
    expect(sam).toContain(places.map(place => `# - ${place}\n`).join(''))
    const { staff } = readTemplate(sam, { ...options, parameters: {} }).config.userPools!
    expect(staff).toMatchObject({
      verify: ['email', 'phone'],
      passkeys: written.userPools.staff.passkeys,
      resourceServers: { 'https://api.example': { scopes: { read: 'Read' } } },
      clients: {
        web: { grants: ['code'], scopes: ['openid', 'email', 'phone', 'profile'] },
        tv: expect.not.objectContaining({ grants: expect.anything() }),
      },
    })
    const program = JSON.parse(writeTemplate('terraform', written)) as {
      readonly '//': readonly string[]
      readonly resource: { readonly aws_cognito_user_pool: object }
    }
    expect(program.resource.aws_cognito_user_pool).toMatchObject({
      staff: { web_authn_configuration: { relying_party_id: 'shop.example', user_verification: 'required' } },
    })
    expect(program['//'].at(-1)).toBe(
      'userPools.staff.passkeys.bothFactors: Terraform has no argument for it',
    )
  })

  it('names what it cannot have, by its place', () => {
    const more = {
      mail: { rules: [] },
      storage: {},
      functions: { far: { url: 'https://far.example' }, near: { module: './orders/index.mjs', wait: 5 } },
      queues: { jobs: { function: 'far', engine: {} } },
      loadBalancers: {
        shop: {
          ...{ port: 8080, respond: { status: 404 } },
          rules: [
            { function: 'near', authenticate: { pool: 'none', client: 'app' } },
            { function: 'near', authenticate: { issuer: 'https://id.example', clientId: 'a' } },
          ],
        },
      },
    }
    const names = [
      'functions.far: only code in a folder can be deployed',
      'functions.near.dialect: the cloud sends the events of the dialect aws',
      'functions.near.wait',
      'queues.jobs.function: its function cannot be deployed',
      'queues.jobs.engine',
      'loadBalancers.shop.rules.0.authenticate: the service needs a client of a user pool with a domain',
      'loadBalancers.shop.rules.1.authenticate: the service needs a clientSecret and all endpoints of the provider',
      'mail',
      'storage',
    ]
    expect(writeTemplate('sam', more)).toContain(names.map(name => `# - ${name}\n`).join(''))
    expect(writeTemplate('cdk', more)).toContain(names.map(name => `// - ${name}\n`).join(''))
    expect(JSON.parse(writeTemplate('terraform', more))['//']).toEqual([expect.any(String), ...names])
  })
})
