import { expect, it } from '@jest/globals'
import { readTemplate } from './index.ts'

it('browsers that sign in come back by both names of this machine, also where the configuration moves the listener', () => {
  const text = `
Resources:
  Pool: {Type: AWS::Cognito::UserPool}
  Web:
    Type: AWS::Cognito::UserPoolClient
    Properties: {UserPoolId: !Ref Pool, GenerateSecret: true, AllowedOAuthFlowsUserPoolClient: true, AllowedOAuthFlows: [code], AllowedOAuthScopes: [openid], CallbackURLs: ['https://shop.example/oauth2/idpresponse']}
  Listener:
    Type: AWS::ElasticLoadBalancingV2::Listener
    Properties: {Port: 443, DefaultActions: [{Type: authenticate-cognito, Order: 1, AuthenticateCognitoConfig: {UserPoolArn: !GetAtt Pool.Arn, UserPoolClientId: !Ref Web, UserPoolDomain: x}}, {Type: fixed-response, Order: 2, FixedResponseConfig: {StatusCode: '200'}}]}`
  const callbacksWith = (own?: object) => {
    const { config } = readTemplate(text, {
      ...{ root: '/shop', template: '/shop', python: () => ['python3'], keep: () => '/shop', parameters: {} },
      ...{ region: 'eu-central-1', account: '123456789012', stack: 'shop' },
      beside: own === undefined ? {} : { loadBalancers: { Listener: own } },
    })
    const { clients } = config.userPools!.Pool as {
      readonly clients: { readonly Web: { readonly callbacks: readonly string[] } }
    }
    return clients.Web.callbacks
  }
  const at = (...origins: readonly string[]) =>
    ['https://shop.example', ...origins].map(origin => `${origin}/oauth2/idpresponse`)
  expect(callbacksWith()).toEqual(at('http://127.0.0.1:8443', 'http://localhost:8443'))
  expect(callbacksWith({ port: 9000 })).toEqual(at('http://127.0.0.1:9000', 'http://localhost:9000'))
  expect(callbacksWith({ tls: { cert: 'cert.pem', key: 'key.pem' } })).toEqual(
    at('https://127.0.0.1:8443', 'https://localhost:8443'),
  )
})
