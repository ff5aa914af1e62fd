import { afterAll, expect, it } from '@jest/globals'
import { templateReader, worker } from './testing/template-reader.ts'

const reader = templateReader()
afterAll(() => reader[Symbol.dispose]())
const { read } = reader

it('load balancers listen for the functions of their target groups, on a port that a user may use', () => {
  const { config, outputs } = read(`
Resources:
${worker}
  Alb: {Type: AWS::ElasticLoadBalancingV2::LoadBalancer}
  Group:
    Type: AWS::ElasticLoadBalancingV2::TargetGroup
    Properties:
      TargetType: lambda
      Targets: [{Id: !GetAtt Work.Arn}]
      TargetGroupAttributes: [{Key: lambda.multi_value_headers.enabled, Value: "true"}]
  Listener:
    Type: AWS::ElasticLoadBalancingV2::Listener
    Properties:
      LoadBalancerArn: !Ref Alb
      Port: 80
      DefaultActions: [{Type: forward, ForwardConfig: {TargetGroups: [{TargetGroupArn: !Ref Group}]}}]
Outputs: {Url: {Value: !Sub "http://\${Alb.DNSName}/"}}`)
  expect(config.loadBalancers).toEqual({
    Listener: {
      port: 8080,
      function: 'Work',
      multiValueHeaders: true,
      targetGroupArn: expect.stringMatching(
        /^arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup\/Group\//,
      ),
    },
  })
  expect(outputs).toEqual({ Url: 'http://127.0.0.1:8080/' })
})

it('a rule of which only the cloud knows a condition answers 501, and lets no request in', () => {
  const rule = (conditions: string) => {
    const { config, warnings } = read(`
Parameters: {Office: {Type: 'AWS::SSM::Parameter::Value<String>', Default: /office}}
Resources:
${worker}
  Group: {Type: AWS::ElasticLoadBalancingV2::TargetGroup, Properties: {TargetType: lambda, Targets: [{Id: !GetAtt Work.Arn}]}}
  Listener: {Type: AWS::ElasticLoadBalancingV2::Listener, Properties: {Port: 8080, DefaultActions: [{Type: forward, TargetGroupArn: !Ref Group}]}}
  Rule:
    Type: AWS::ElasticLoadBalancingV2::ListenerRule
    Properties:
      ListenerArn: !Ref Listener
      Priority: 1
      Conditions: ${conditions}
      Actions: [{Type: forward, TargetGroupArn: !Ref Group}]`)
    expect(warnings.map(({ text }) => text)).toContain(
      'Rule answers 501, because only the cloud knows what requests it is for.',
    )
    const { rules } = config.loadBalancers!.Listener as { rules: object[] }
    return rules
  }
  const respond = { status: 501, body: 'A condition of this rule is not known here.' }
  const source = '{Field: source-ip, SourceIpConfig: {Values: [!Ref Office]}}'
  expect(rule(`[${source}]`)).toEqual([{ path: ['*'], respond }])
  expect(rule(`[{Field: path-pattern, Values: [/a]}, ${source}]`)).toEqual([{ path: ['/a'], respond }])
  expect(rule('[{Field: path-pattern, Values: []}]')).toEqual([{ path: ['*'], respond }])
})

it('load balancers have the rules of their listener, in the order of their priorities', () => {
  const { config, warnings } = read(`
Resources:
${worker}
  Group: {Type: AWS::ElasticLoadBalancingV2::TargetGroup, Properties: {TargetType: lambda, Targets: [{Id: !GetAtt Work.Arn}]}}
  Listener:
    Type: AWS::ElasticLoadBalancingV2::Listener
    Properties: {Port: 8080, DefaultActions: [{Type: fixed-response, FixedResponseConfig: {StatusCode: "404", ContentType: text/plain, MessageBody: none}}]}
  Late:
    Type: AWS::ElasticLoadBalancingV2::ListenerRule
    Properties:
      ListenerArn: !Ref Listener
      Priority: 20
      Conditions:
        - {Field: http-header, HttpHeaderConfig: {HttpHeaderName: x-a, Values: [b]}}
        - {Field: query-string, QueryStringConfig: {Values: [{Key: k, Value: v*}]}}
      Actions: [{Type: redirect, RedirectConfig: {StatusCode: HTTP_301, Protocol: HTTPS, Port: "443"}}]
  Early:
    Type: AWS::ElasticLoadBalancingV2::ListenerRule
    Properties:
      ListenerArn: !Ref Listener
      Priority: 3
      Conditions: [{Field: path-pattern, Values: [/api/*]}, {Field: host-header, HostHeaderConfig: {Values: [a.example]}}]
      Actions: [{Type: forward, TargetGroupArn: !Ref Group}]
  SignIn:
    Type: AWS::ElasticLoadBalancingV2::ListenerRule
    Properties:
      ListenerArn: !Ref Listener
      Priority: 1
      Conditions: [{Field: path-pattern, Values: [/in]}]
      Actions: [{Type: authenticate-oidc, Order: 1}, {Type: forward, TargetGroupArn: !Ref Group, Order: 2}]`)
  expect(config.loadBalancers).toEqual({
    Listener: {
      port: 8080,
      respond: { status: 404, contentType: 'text/plain', body: 'none' },
      rules: [
        { path: ['/in'], respond: { status: 501, body: 'authenticate-oidc does not run here.' } },
        {
          path: ['/api/*'],
          host: ['a.example'],
          function: 'Work',
          targetGroupArn: expect.stringContaining(':targetgroup/Group/'),
        },
        {
          headers: { 'x-a': ['b'] },
          query: [{ key: 'k', value: 'v*' }],
          redirect: { status: 301, protocol: 'https', port: '443' },
        },
      ],
    },
  })
  expect(warnings).toContainEqual({
    kind: 'missing',
    text: 'SignIn has no authenticate-oidc action here, and so answers 501.',
  })
})

it('load balancers have users sign in, check tokens, keep clients with a function and rewrite as their rules say', () => {
  const rule = (name: string, priority: number, properties: string) => `
  ${name}:
    Type: AWS::ElasticLoadBalancingV2::ListenerRule
    Properties:
      ListenerArn: !Ref Listener
      Priority: ${priority}
      Conditions: [{Field: path-pattern, Values: [/${name}]}]
${properties}`
  const { config, warnings } = read(`
Resources:
${worker}
  Pool: {Type: AWS::Cognito::UserPool}
  Web:
    Type: AWS::Cognito::UserPoolClient
    Properties: {UserPoolId: !Ref Pool, GenerateSecret: true, AllowedOAuthFlowsUserPoolClient: true, AllowedOAuthFlows: [code], AllowedOAuthScopes: [openid], CallbackURLs: [https://shop.example/oauth2/idpresponse]}
  Group: {Type: AWS::ElasticLoadBalancingV2::TargetGroup, Properties: {TargetType: lambda, Targets: [{Id: !GetAtt Work.Arn}]}}
  Listener:
    Type: AWS::ElasticLoadBalancingV2::Listener
    Properties: {Port: 8080, DefaultActions: [{Type: forward, TargetGroupArn: !Ref Group}]}
${rule('pool', 1, '      Actions: [{Type: forward, Order: 2, TargetGroupArn: !Ref Group}, {Type: authenticate-cognito, Order: 1, AuthenticateCognitoConfig: {UserPoolArn: !GetAtt Pool.Arn, UserPoolClientId: !Ref Web, UserPoolDomain: shop, SessionTimeout: "3600", OnUnauthenticatedRequest: deny}}]')}
${rule('provider', 2, '      Actions: [{Type: authenticate-oidc, AuthenticateOidcConfig: {Issuer: "https://id.example", AuthorizationEndpoint: "https://id.example/a", TokenEndpoint: "https://id.example/t", UserInfoEndpoint: "https://id.example/u", ClientId: shop, ClientSecret: secret, AuthenticationRequestExtraParams: {prompt: login}}}, {Type: forward, TargetGroupArn: !Ref Group}]')}
${rule('token', 3, '      Actions: [{Type: jwt-validation, JwtValidationConfig: {Issuer: "https://id.example", JwksEndpoint: "https://id.example/keys", AdditionalClaims: [{Name: scope, Format: space-separated-values, Values: [read]}]}}, {Type: forward, TargetGroupArn: !Ref Group}]')}
${rule('sticky', 4, '      Actions: [{Type: forward, ForwardConfig: {TargetGroups: [{TargetGroupArn: !Ref Group, Weight: 1}, {TargetGroupArn: !Ref Group, Weight: 2}], TargetGroupStickinessConfig: {Enabled: true, DurationSeconds: 60}}}]')}
${rule('rewritten', 5, '      Actions: [{Type: forward, TargetGroupArn: !Ref Group}]\n      Transforms: [{Type: url-rewrite, UrlRewriteConfig: {Rewrites: [{Regex: "^/rewritten", Replace: /}]}}]')}
${rule('elsewhere', 6, '      Actions: [{Type: authenticate-cognito, AuthenticateCognitoConfig: {UserPoolArn: "arn:aws:cognito-idp:eu-west-1:123456789012:userpool/eu-west-1_other", UserPoolClientId: x, UserPoolDomain: y}}, {Type: forward, TargetGroupArn: !Ref Group}]')}`)
  expect(config.loadBalancers).toMatchObject({
    Listener: {
      rules: [
        {
          ...{ path: ['/pool'], function: 'Work' },
          authenticate: {
            pool: 'Pool',
            client: 'Web',
            sessionTimeout: 3600,
            onUnauthenticatedRequest: 'deny',
          },
        },
        {
          authenticate: {
            ...{ issuer: 'https://id.example', clientId: 'shop', clientSecret: 'secret' },
            authorizationEndpoint: 'https://id.example/a',
            tokenEndpoint: 'https://id.example/t',
            ...{ userInfoEndpoint: 'https://id.example/u', parameters: { prompt: 'login' } },
          },
        },
        {
          validateJwt: {
            ...{ issuer: 'https://id.example', keys: 'https://id.example/keys' },
            claims: [{ name: 'scope', format: 'words', values: ['read'] }],
          },
        },
        { sticky: 60, forward: [{ weight: 1 }, { weight: 2 }] },
        { rewrite: { path: { regex: '^/rewritten', replace: '/' } } },
        { path: ['/elsewhere'], respond: { status: 501, body: 'authenticate-cognito does not run here.' } },
      ],
    },
  })
  expect(config.userPools).toMatchObject({
    Pool: {
      clients: {
        Web: {
          callbacks: [
            'https://shop.example/oauth2/idpresponse',
            'http://127.0.0.1:8080/oauth2/idpresponse',
            'http://localhost:8080/oauth2/idpresponse',
          ],
        },
      },
    },
  })
  expect(warnings.map(({ text }) => text)).toContain(
    'elsewhere has no authenticate-cognito action here, and so answers 501.',
  )
})
