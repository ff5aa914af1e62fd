const aws = { dialect: 'aws', timeout: 20, memory: 256 }
/** A configuration with something of everything that templates have. */
export const config = {
  region: 'eu-central-1',
  account: '000000000000',
  functions: {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: not to be replaced
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
      // biome-ignore lint/suspicious/noTemplateCurlyInString: not to be replaced
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
