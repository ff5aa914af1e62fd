import type { changeable, clientFields, mfaFields } from './created-pool.ts'

/**
 * What an update does with a field that its request omits: the field keeps its value, or is reset to its default. With
 * `each part kept`, the field keeps the parts that the request omits, and each part is replaced as a whole.
 */
type Omitted = 'kept' | 'reset' | 'each part kept'

type Table<Field extends string> = { readonly [F in Field]: Omitted }

const reset = 'reset' as const

/**
 * What each update does with the fields that its request omits. The service's reference says of three updates that a
 * field without a value is set to its default. Measured, this holds field by field: see
 * docs/decisions/user-pools.md#where-the-contract-is-silent.
 */
export const omittedFields = {
  UpdateUserPool: {
    PoolName: 'kept',
    Policies: 'each part kept',
    LambdaConfig: reset,
    AutoVerifiedAttributes: reset,
    MfaConfiguration: 'kept',
    DeviceConfiguration: reset,
    AdminCreateUserConfig: reset,
    UserPoolTags: reset,
    SmsVerificationMessage: reset,
    EmailVerificationMessage: reset,
    EmailVerificationSubject: reset,
    VerificationMessageTemplate: reset,
    SmsAuthenticationMessage: reset,
    UserAttributeUpdateSettings: 'kept',
    DeletionProtection: reset,
    EmailConfiguration: reset,
    SmsConfiguration: reset,
    UserPoolAddOns: reset,
    DcrConfiguration: reset,
    AccountRecoverySetting: reset,
    UserPoolTier: 'kept',
  } satisfies Table<'PoolName' | keyof typeof changeable>,

  /** An omitted `MfaConfiguration` turns second factors off, unlike in UpdateUserPool. */
  SetUserPoolMfaConfig: {
    MfaConfiguration: reset,
    SmsMfaConfiguration: reset,
    SoftwareTokenMfaConfiguration: reset,
    EmailMfaConfiguration: reset,
    WebAuthnConfiguration: reset,
  } satisfies Table<'MfaConfiguration' | keyof typeof mfaFields>,

  UpdateUserPoolClient: {
    ClientName: 'kept',
    // A client keeps its secret, or the lack of one, for life.
    GenerateSecret: 'kept',
    RefreshTokenValidity: reset,
    AccessTokenValidity: reset,
    IdTokenValidity: reset,
    TokenValidityUnits: reset,
    ReadAttributes: reset,
    WriteAttributes: reset,
    ExplicitAuthFlows: reset,
    SupportedIdentityProviders: reset,
    CallbackURLs: reset,
    LogoutURLs: reset,
    DefaultRedirectURI: reset,
    AllowedOAuthFlows: reset,
    AllowedOAuthScopes: reset,
    AllowedOAuthFlowsUserPoolClient: reset,
    AnalyticsConfiguration: reset,
    PreventUserExistenceErrors: reset,
    EnableTokenRevocation: reset,
    EnablePropagateAdditionalUserContextData: reset,
    AuthSessionValidity: reset,
    RefreshTokenRotation: reset,
  } satisfies Table<'ClientName' | keyof typeof clientFields>,

  UpdateResourceServer: { Name: 'kept', Scopes: reset },

  UpdateIdentityProvider: {
    ProviderType: 'kept',
    ProviderDetails: 'kept',
    AttributeMapping: 'kept',
    IdpIdentifiers: 'kept',
  },

  UpdateUserPoolDomain: { CustomDomainConfig: 'kept', ManagedLoginVersion: 'kept' },

  UpdateGroup: { Description: 'kept', Precedence: 'kept', RoleArn: 'kept' },
} as const satisfies { readonly [operation: string]: Table<string> }

/**
 * Returns the fields of something after an update with this request. Fields without a row are left out.
 * @param before the fields before the update
 */
export function updatedFields<
  O extends keyof typeof omittedFields,
  Fields extends { readonly [F in keyof (typeof omittedFields)[O]]?: unknown },
>(
  operation: O,
  before: Fields,
  request: { readonly [F in keyof NoInfer<Fields>]?: Fields[F] | undefined },
): Fields {
  const rows: readonly (readonly [string, Omitted])[] = Object.entries(omittedFields[operation])
  const was: { readonly [field: string]: unknown } = before
  const wanted: { readonly [field: string]: unknown } = request
  return Object.fromEntries(
    rows.flatMap(([field, omitted]) => {
      const value = updatedField(omitted, was[field], wanted[field])
      return value === undefined ? [] : [[field, value]]
    }),
  ) as Fields
}

function updatedField(omitted: Omitted, was: unknown, wanted: unknown): unknown {
  if (wanted === undefined) return omitted === 'reset' ? undefined : was
  return omitted === 'each part kept' ? { ...(was as object | undefined), ...(wanted as object) } : wanted
}
