const threats =
  'the pool rates no risks: it locks out after wrong passwords and codes, with `takeover` sends notices of them, and with `history` keeps each sign-in'
const branding =
  'documents of the service’s designer are not read: `pages` of a pool sets a name, a logo and colors, and `SetUICustomization` the colors of pools of the API'
const replicas = 'a pool is in one place; platforms that share a PostgreSQL database share its pools'
const logs =
  'there are no log groups to deliver to: the log of the platform always has failed messages and functions, its metrics count sign-ins'
const quotas = 'there are no quotas of an account; `limits` of a pool sets its own'

/**
 * The operations of Cognito that user pools refuse, each with the reason. A test compares them, and the operations that
 * exist here, with the newest client of the service.
 */
export const refusedOperations: { readonly [name: string]: string } = {
  UpdateAuthEventFeedback:
    'notices have no links for feedback of users; administrators have `AdminUpdateAuthEventFeedback`',
  DescribeRiskConfiguration: threats,
  SetRiskConfiguration: threats,
  CreateManagedLoginBranding: branding,
  UpdateManagedLoginBranding: branding,
  DeleteManagedLoginBranding: branding,
  DescribeManagedLoginBranding: branding,
  DescribeManagedLoginBrandingByClient: branding,
  CreateUserPoolReplica: replicas,
  UpdateUserPoolReplica: replicas,
  DeleteUserPoolReplica: replicas,
  ListUserPoolReplicas: replicas,
  GetLogDeliveryConfiguration: logs,
  SetLogDeliveryConfiguration: logs,
  GetProvisionedLimit: quotas,
  UpdateProvisionedLimit: quotas,
  GetClientToken: 'clients get tokens of their own at the token endpoint, by `client_credentials`',
  GetSigningCertificate: 'the certificate signs requests to SAML providers, which pools do not have',
}
