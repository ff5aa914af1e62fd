import type { CreatedClient, CreatedPool } from '../../created-pools/created-pool.ts'
import type { Engine } from '../../engine.ts'
import { clientSecrets } from '../../flows/sign-in/client-secrets.ts'
import { seconds } from './wire-user.ts'

/** Returns a pool created through the API, as administrators see it. */
export function wireCreatedPool(engine: Engine, createdPool: CreatedPool) {
  const { id, name, created, modified, requested, schema, domain, customDomain } = createdPool
  const { VerificationMessageTemplate: template = {} } = requested
  return {
    Id: id,
    Name: name,
    Arn: `arn:aws:cognito-idp:${id.split('_')[0]}:${engine.account}:userpool/${id}`,
    Status: 'Enabled',
    CreationDate: seconds(created),
    LastModifiedDate: seconds(modified),
    EmailVerificationMessage: template.EmailMessage,
    EmailVerificationSubject: template.EmailSubject,
    SmsVerificationMessage: template.SmsMessage,
    LambdaConfig: {},
    EmailConfiguration: { EmailSendingAccount: 'COGNITO_DEFAULT' },
    VerificationMessageTemplate: { DefaultEmailOption: 'CONFIRM_WITH_CODE' },
    UserPoolTags: {},
    ...requested,
    Policies: {
      ...requested.Policies,
      PasswordPolicy: requested.Policies?.PasswordPolicy ?? {
        MinimumLength: 8,
        RequireUppercase: true,
        RequireLowercase: true,
        RequireNumbers: true,
        RequireSymbols: true,
        TemporaryPasswordValidityDays: 7,
      },
    },
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: false, ...requested.AdminCreateUserConfig },
    MfaConfiguration: requested.MfaConfiguration ?? 'OFF',
    SchemaAttributes: schema,
    ...(domain !== undefined && { Domain: domain.name }),
    ...(customDomain !== undefined && { CustomDomain: customDomain.name }),
  }
}

/** Returns the second factors of a pool created through the API. */
export function wireCreatedMfa({ mfa, requested }: CreatedPool) {
  return { ...mfa, MfaConfiguration: requested.MfaConfiguration ?? 'OFF' }
}

/** Returns a client created through the API. */
export function wireCreatedClient(engine: Engine, pool: CreatedPool, client: CreatedClient) {
  const { id, name, created, modified, requested } = client
  const { GenerateSecret, ...readable } = requested
  const owner = engine.poolOf(pool.id)
  const settings = owner.clients.find(each => each.id === id)
  return {
    UserPoolId: pool.id,
    ClientId: id,
    ClientName: name,
    ClientSecret: settings && clientSecrets(engine.vault, owner, settings)[0],
    CreationDate: seconds(created),
    LastModifiedDate: seconds(modified),
    RefreshTokenValidity: 30,
    AllowedOAuthFlowsUserPoolClient: false,
    EnableTokenRevocation: true,
    AuthSessionValidity: 3,
    ...readable,
  }
}
