import { expect, it } from '@jest/globals'
import { readTemplate } from './index.ts'

const provider = 'registry.terraform.io/hashicorp/aws'
const resource = (type: string, name: string, values: object) => ({
  ...{ address: `${type}.${name}`, mode: 'managed', type, name, values },
  ...{ provider_name: provider, schema_version: 0 },
})

const balancer = 'arn:aws:elasticloadbalancing:eu-central-1:1:loadbalancer/app/web/1'
const listener = 'arn:aws:elasticloadbalancing:eu-central-1:1:listener/app/web/1/2'
const groups = ['blue', 'green'].map(name => ({
  name,
  arn: `arn:aws:elasticloadbalancing:eu-central-1:1:targetgroup/${name}/3`,
}))
const callee = 'arn:aws:lambda:eu-central-1:1:function:web'
const pool = 'arn:aws:cognito-idp:eu-central-1:1:userpool/eu-central-1_AbCdEf123'

/** Reads a plan of a load balancer that exists, whose rules have the actions and transforms. */
function read(rules: readonly { readonly action: readonly object[]; readonly transform?: object[] }[]) {
  const plan = {
    format_version: '1.2',
    terraform_version: '1.14.0',
    planned_values: {
      root_module: {
        resources: [
          resource('aws_cognito_user_pool', 'staff', { name: 'staff', arn: pool, id: pool.split('/')[1] }),
          resource('aws_cognito_user_pool_client', 'app', {
            name: 'app',
            user_pool_id: pool.split('/')[1],
            id: 'client-of-staff',
          }),
          resource('aws_lb', 'web', { name: 'web', arn: balancer, id: balancer }),
          ...groups.flatMap(({ name, arn }) => [
            resource('aws_lb_target_group', name, { name, arn, id: arn, target_type: 'lambda' }),
            resource('aws_lb_target_group_attachment', name, { target_group_arn: arn, target_id: callee }),
          ]),
          resource('aws_lb_listener', 'http', {
            ...{ load_balancer_arn: balancer, port: 80, arn: listener, id: listener },
            default_action: [{ type: 'fixed-response', fixed_response: [{ status_code: '404' }] }],
          }),
          ...rules.map((rule, at) =>
            resource('aws_lb_listener_rule', `rule-${at}`, {
              ...{ listener_arn: listener, priority: at + 1, ...rule },
              condition: [{ path_pattern: [{ values: [`/${at}`] }] }],
            }),
          ),
        ],
      },
    },
    configuration: { root_module: { resources: [] } },
  }
  const { config, warnings } = readTemplate(JSON.stringify(plan), {
    ...{ root: '/', template: '/', python: () => [], keep: () => '/', parameters: {} },
    ...{ region: 'eu-central-1', account: '1', stack: 'shop' },
    beside: { functions: { web: { module: './web' } } },
  })
  const { rules: found } = config.loadBalancers!.http as { readonly rules: readonly object[] }
  return { rules: found, config, missing: warnings.filter(({ kind }) => kind === 'missing') }
}

const forward = (order: number, more: object = {}) => ({
  ...{ type: 'forward', order },
  forward: [{ target_group: groups.map(({ arn }, at) => ({ arn, weight: at + 1 })), ...more }],
})

it('rules of a plan sign users in, check tokens, keep clients with a function, and rewrite', () => {
  const { rules, config, missing } = read([
    {
      action: [
        {
          ...{ type: 'authenticate-oidc', order: 1 },
          authenticate_oidc: [
            {
              ...{ issuer: 'https://login.example', client_id: 'shop', client_secret: 'a-secret-of-twenty' },
              authorization_endpoint: 'https://login.example/a',
              token_endpoint: 'https://login.example/t',
              user_info_endpoint: 'https://login.example/u',
              authentication_request_extra_params: { login_hint: 'ann' },
              ...{ on_unauthenticated_request: 'deny', scope: 'openid', session_timeout: 60 },
            },
          ],
        },
        forward(2, { stickiness: [{ enabled: true, duration: 30 }] }),
      ],
    },
    {
      action: [
        {
          ...{ type: 'authenticate-cognito', order: 1 },
          authenticate_cognito: [
            { user_pool_arn: pool, user_pool_client_id: 'client-of-staff', user_pool_domain: 'staff' },
          ],
        },
        forward(2),
      ],
    },
    {
      action: [
        {
          ...{ type: 'jwt-validation', order: 1 },
          jwt_validation: [
            {
              ...{ issuer: 'https://login.example', jwks_endpoint: 'https://login.example/keys' },
              additional_claim: [{ name: 'scope', format: 'space-separated-values', values: ['read'] }],
            },
          ],
        },
        forward(2, { stickiness: [{ enabled: false, duration: 30 }] }),
      ],
      transform: [
        {
          type: 'url-rewrite',
          url_rewrite_config: [{ rewrite: [{ regex: '^/a', replace: '/b' }] }],
        },
        {
          type: 'host-header-rewrite',
          host_header_rewrite_config: [{ rewrite: [{ regex: '^a', replace: 'b' }] }],
        },
      ],
    },
  ])
  expect(missing).toEqual([])
  expect(rules).toEqual([
    {
      path: ['/0'],
      authenticate: {
        ...{ issuer: 'https://login.example', clientId: 'shop', clientSecret: 'a-secret-of-twenty' },
        authorizationEndpoint: 'https://login.example/a',
        tokenEndpoint: 'https://login.example/t',
        userInfoEndpoint: 'https://login.example/u',
        parameters: { login_hint: 'ann' },
        ...{ onUnauthenticatedRequest: 'deny', scope: 'openid', sessionTimeout: 60 },
      },
      forward: expect.any(Array),
      sticky: 30,
    },
    { path: ['/1'], authenticate: { pool: 'staff', client: 'app' }, forward: expect.any(Array) },
    {
      path: ['/2'],
      validateJwt: {
        ...{ issuer: 'https://login.example', keys: 'https://login.example/keys' },
        claims: [{ name: 'scope', format: 'words', values: ['read'] }],
      },
      forward: expect.any(Array),
      rewrite: { path: { regex: '^/a', replace: '/b' }, host: { regex: '^a', replace: 'b' } },
    },
  ])
  const { clients } = config.userPools!.staff as { readonly clients: { readonly app: object } }
  expect(clients.app).toMatchObject({
    callbacks: ['http://127.0.0.1:8080/oauth2/idpresponse', 'http://localhost:8080/oauth2/idpresponse'],
  })
})

it('a rule of a plan without what signs its users in answers 501', () => {
  const { rules } = read([
    { action: [{ type: 'authenticate-oidc', order: 1, authenticate_oidc: [{ issuer: 'x' }] }, forward(2)] },
    { action: [{ type: 'jwt-validation', order: 1 }, forward(2)] },
    { action: [{ type: 'authenticate-cognito', order: 1, authenticate_cognito: [{}] }, forward(2)] },
  ])
  expect(rules).toEqual(
    [0, 1, 2].map(at => ({ path: [`/${at}`], respond: { status: 501, body: expect.any(String) } })),
  )
})
