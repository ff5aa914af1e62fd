import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { readTemplate } from './read-template.ts'

const folder = temporaryFolder()
mkdirSync(join(folder.path, 'orders'))
writeFileSync(join(folder.path, 'orders/index.mjs'), 'export const handler = () => ({})')
afterAll(() => folder[Symbol.dispose]())

const read = (text: string) =>
  readTemplate(text, {
    root: folder.path,
    template: folder.path,
    python: () => ['python3'],
    keep: () => folder.path,
    parameters: {},
    region: 'eu-central-1',
    account: '000000000000',
    stack: 'shop',
  })

it('an output that only the cloud knows is named, and settings have the types that the template has', () => {
  const { outputs, warnings } = read(`
Transform: AWS::Serverless-2016-10-31
Outputs:
  Queue: {Value: !GetAtt Q.QueueName}
  Api: {Value: !Sub 'https://\${ServerlessRestApi}/'}
Resources:
  Q: {Type: AWS::SQS::Queue}
  F:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: nodejs22.x
      CodeUri: orders
      Handler: index.handler
      Policies: [AmazonSQSFullAccess]
      Events:
        Messages: {Type: SQS, Properties: {Queue: !GetAtt Q.Arn, Batchsize: 3}}`)
  expect(outputs).toEqual({ Queue: 'Q' })
  expect(warnings).toEqual([
    { kind: 'ignored', text: 'AWS::Serverless::Function: Policies' },
    { kind: 'ignored', text: 'AWS::Serverless::Function: an event of SQS: Batchsize' },
    { kind: 'ignored', text: 'Outputs: Api, which only the cloud knows' },
  ])
})

it.each([
  [
    'handler',
    '/Resources/F/Properties/Handler: expected a file and its export, such as app.handler, got handler',
  ],
  ['""', '/Resources/F/Properties/Handler: expected a file and its export, such as app.handler, got nothing'],
])('a handler that names no file and export is an error: %s', (handler, problem) => {
  expect(() =>
    read(`
Resources:
  F:
    Type: AWS::Lambda::Function
    Properties: {Runtime: nodejs22.x, Handler: ${handler}, Code: orders}`),
  ).toThrow(problem)
})

describe('a text that the service does not know is an error with its place', () => {
  it.each([
    ['UsernameAttributes: [mail]', '/UsernameAttributes/0: expected one of email, phone_number, got mail'],
    [
      'AliasAttributes: [email, nick]',
      '/AliasAttributes/1: expected one of email, phone_number, preferred_username',
    ],
    [
      'AutoVerifiedAttributes: [mail]',
      '/AutoVerifiedAttributes/0: expected one of email, phone_number, got mail',
    ],
    ['MfaConfiguration: Optional', '/MfaConfiguration: expected one of OFF, OPTIONAL, ON, got Optional'],
    [
      'EnabledMfas: [TOTP]',
      '/EnabledMfas/0: expected one of SOFTWARE_TOKEN_MFA, SMS_MFA, EMAIL_OTP, got TOTP',
    ],
    [
      'Policies: {SignInPolicy: {AllowedFirstAuthFactors: [PASSKEY]}}',
      '/Policies/SignInPolicy/AllowedFirstAuthFactors/0: expected one of PASSWORD, EMAIL_OTP, SMS_OTP, WEB_AUTHN, got PASSKEY',
    ],
    [
      'AccountRecoverySetting: {RecoveryMechanisms: [{Name: email, Priority: 1}]}',
      '/AccountRecoverySetting/RecoveryMechanisms/0/Name: expected one of verified_email, verified_phone_number, admin_only',
    ],
  ])('for a pool: %s', (property, problem) => {
    expect(() => read(`Resources: {P: {Type: AWS::Cognito::UserPool, Properties: {${property}}}}`)).toThrow(
      `/Resources/P/Properties${problem}`,
    )
  })

  it.each([
    ['ExplicitAuthFlows: [ALLOW_PASSWORD]', '/ExplicitAuthFlows/0: expected one of ALLOW_USER_SRP_AUTH, '],
    [
      'AccessTokenValidity: 5, TokenValidityUnits: {AccessToken: minute}',
      '/TokenValidityUnits/AccessToken: expected one of seconds, minutes, hours, days, got minute',
    ],
  ])('for a client: %s', (properties, problem) => {
    expect(() =>
      read(`
Resources:
  P: {Type: AWS::Cognito::UserPool}
  C: {Type: AWS::Cognito::UserPoolClient, Properties: {UserPoolId: !Ref P, ${properties}}}`),
    ).toThrow(`/Resources/C/Properties${problem}`)
  })
})
