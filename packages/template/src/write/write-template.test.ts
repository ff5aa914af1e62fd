import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { isObject } from '@signalbox/codec'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { parse } from 'yaml'
import { readTemplate, writeTemplate } from '../index.ts'

const folder = temporaryFolder()
afterAll(() => folder[Symbol.dispose]())
for (const path of ['orders/index.mjs', 'web/app.mts', 'py/app.py', 'own/bootstrap']) {
  mkdirSync(dirname(join(folder.path, path)), { recursive: true })
  writeFileSync(join(folder.path, path), '')
}

const aws = { dialect: 'aws', timeout: 20, memory: 256 }
const config = {
  region: 'eu-central-1',
  account: '000000000000',
  functions: {
    orders: { ...aws, module: './orders/index.mjs', instances: 3, env: { STAGE: 'dev', QUERY: '${x} %{y}' } },
    web: { ...aws, module: './web/app.mts', export: 'run', tenancy: 'isolated' },
    py: { ...aws, command: ['python3', 'runtime.py'], export: 'app.handler', cwd: './py' },
    own: { ...aws, command: ['./bootstrap'], export: 'bootstrap', cwd: './own' },
  },
  queues: {
    'orders.fifo': {
      contentBasedDeduplication: true,
      visibilityTimeout: 60,
      deadLetter: { queue: 'dead.fifo', maxReceiveCount: 4 },
      function: 'orders',
      batchSize: 7,
      maximumConcurrency: 2,
      reportBatchItemFailures: true,
      filter: [{ body: { kind: ['${new}'] } }],
    },
    'dead.fifo': { visibilityTimeout: 30, retentionPeriod: 1_209_600 },
    mails: {
      visibilityTimeout: 30,
      delay: 2,
      batchWindow: 5,
      functions: [
        { function: 'orders', batchSize: 10 },
        { function: 'py', batchSize: 1 },
      ],
    },
  },
  userPools: {
    staff: {
      signIn: ['email'],
      required: ['email'],
      immutable: ['email', 'custom:tenant'],
      custom: { tenant: 'number' },
      verify: ['email'],
      from: 'Staff <staff@example.com>',
      signUp: false,
      password: { min: 10, lower: true, upper: false, digits: true, symbols: false, temporaryDays: 3 },
      mfa: { mode: 'optional', by: ['totp'] },
      devices: 'opt-in',
      recovery: ['email'],
      triggers: { PreSignUp: 'orders', TokenGeneration: { function: 'orders', version: 2 } },
      domain: 'shop-login',
      groups: { admins: { description: 'All', precedence: 1, role: 'arn:aws:iam::000000000000:role/a' } },
      resourceServers: { 'https://api.example': { name: 'api', scopes: { read: 'Read orders' } } },
      identityProviders: {
        Partner: {
          issuer: 'https://id.example',
          clientId: 'shop',
          clientSecret: 'hunter2000',
          scopes: ['openid', 'email'],
          attributes: { email: 'email' },
        },
      },
      clients: {
        app: {
          flows: ['password', 'refresh'],
          secret: true,
          refresh: { days: 0.5, rotate: true, grace: 30 },
          accessMinutes: 30,
          idMinutes: 45,
          sessionMinutes: 5,
          callbacks: ['https://shop.example/back'],
          logouts: ['https://shop.example/out'],
          grants: ['code'],
          scopes: ['openid', 'https://api.example/read'],
          providers: ['Partner'],
        },
      },
    },
  },
  loadBalancers: {
    checked: { port: 8081, function: 'web', healthCheck: { path: '/health', interval: 40 } },
    shop: {
      port: 8080,
      respond: { status: 404, contentType: 'text/plain', body: 'none' },
      rules: [
        { path: ['/in/*'], host: ['a.example'], function: 'web', multiValueHeaders: true },
        {
          method: ['GET'],
          headers: { 'x-a': ['b'] },
          query: [{ key: 'k', value: 'v*' }],
          source: ['10.0.0.0/8'],
          forward: [
            { function: 'web', weight: 90 },
            { function: 'orders', weight: 10 },
          ],
        },
        {
          path: ['/old'],
          redirect: {
            status: 301,
            protocol: 'https',
            host: 'b.example',
            port: '443',
            path: '/#{path}',
            query: '#{query}',
          },
        },
      ],
    },
  },
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

/** Returns a configuration without what the platform derives: ids, ARNs, ports and the variables of every function. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      if (name === 'id' || name === 'targetGroupArn' || /^AWS_/.test(name) || /Listener$|^invoke$/.test(name))
        return []
      const inner = comparable(each)
      return name === 'env' && Object.keys(inner as object).length === 0 ? [] : [[name, inner] as const]
    }),
  )
}

/** What a plan of Terraform knows of the values of a program in JSON: texts with references are not known yet. */
function planned(program: { readonly [section: string]: unknown }): string {
  const { resource, data, variable } = program as {
    resource: { [type: string]: { [name: string]: { [attribute: string]: unknown } } }
    data: { archive_file: { [name: string]: { [attribute: string]: unknown } } }
    variable: object
  }
  const isUnknown = (text: string) => /(?<!\$)\$\{/.test(text) && !text.startsWith('${data.')
  const known = (value: unknown): unknown => {
    if (typeof value === 'string')
      return isUnknown(value)
        ? undefined
        : value
            .replace(/^\$\{data\.archive_file\.(\w+)\.output_path\}$/, '.terraform/$1.zip')
            .replaceAll('$${', '${')
            .replaceAll('%%{', '%{')
    if (Array.isArray(value)) return value.map(each => known(each) ?? null)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, known(each)]))
  }
  const marks = (value: unknown): unknown => {
    if (typeof value === 'string') return isUnknown(value)
    if (Array.isArray(value)) return value.map(marks)
    if (!isObject(value)) return false
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, marks(each)]))
  }
  /** Blocks are lists in a plan, and attributes that are maps are not. */
  const isMap = new Set(['variables', 'provider_details', 'attribute_mapping'])
  const blocks = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(blocks)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        isObject(each) && !isMap.has(name) ? [blocks(each)] : blocks(each),
      ]),
    )
  }
  /** What the configuration of a plan has: blocks in lists, and something for every attribute. */
  const expressions = (value: unknown): unknown => {
    if (Array.isArray(value) && value.some(isObject)) return value.map(expressions)
    if (!isObject(value)) return {}
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, isMap.has(name) ? {} : expressions(each)]),
    )
  }
  const all = Object.entries(resource).flatMap(([type, named]) =>
    Object.entries(named).map(([name, body]) => ({
      address: `${type}.${name}`,
      type,
      name,
      body: blocks(body),
    })),
  )
  return JSON.stringify({
    format_version: '1.2',
    variables: Object.fromEntries(Object.keys(variable).map(name => [name, { value: name }])),
    planned_values: {
      root_module: {
        resources: all.map(({ body, ...each }) => ({ ...each, mode: 'managed', values: known(body) })),
      },
    },
    prior_state: {
      values: {
        root_module: {
          resources: Object.entries(data.archive_file).map(([name, values]) => ({
            address: `data.archive_file.${name}`,
            mode: 'data',
            type: 'archive_file',
            name,
            values,
          })),
        },
      },
    },
    resource_changes: all.map(({ address, body }) => ({ address, change: { after_unknown: marks(body) } })),
    configuration: {
      root_module: {
        resources: all.map(({ body, ...each }) => ({ ...each, expressions: expressions(body) })),
      },
    },
  })
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
