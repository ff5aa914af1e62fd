import { caseCosts } from '@signalbox/platform-runtime/testing/case-costs'
import fc from 'fast-check'
import { listeningPool } from '../../testing/listening-pool.ts'
import { operations } from '../operations/operations.ts'

const names = [
  ...[
    'ClientId',
    'Username',
    'Password',
    'UserPoolId',
    'AccessToken',
    'Session',
    'AuthFlow',
    'AuthParameters',
  ],
  ...[
    'ChallengeName',
    'ChallengeResponses',
    'ClientMetadata',
    'UserAttributes',
    'ValidationData',
    'SecretHash',
  ],
  ...['ConfirmationCode', 'RefreshToken', 'Token', 'ClientSecret', 'AttributeName', 'Code', 'GroupName'],
  ...['Precedence', 'Filter', 'Limit', 'MaxResults', 'PaginationToken', 'NextToken', 'AttributesToGet'],
  ...['UserAttributeNames', 'ProposedPassword', 'PreviousPassword', 'TemporaryPassword', 'MessageAction'],
  ...['Credential', 'CredentialId'],
  ...['DesiredDeliveryMediums', 'ForceAliasCreation', 'Permanent', '__proto__', 'constructor'],
]

/** Valid values for an operation, mixed with arbitrary values. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      'web',
      'ann',
      'eu-central-1_Staff01',
      'Right-7even',
      'USER_SRP_AUTH',
      'USER_PASSWORD_AUTH',
      'CUSTOM_AUTH',
    ],
    ...['REFRESH_TOKEN_AUTH', 'ADMIN_USER_PASSWORD_AUTH', 'PASSWORD_VERIFIER', 'NEW_PASSWORD_REQUIRED'],
    ...[
      'CUSTOM_CHALLENGE',
      'WEB_AUTHN',
      'email',
      'email ^= "a"',
      'status = "Enabled"',
      'a.b.c',
      '',
      0,
      -1,
      1.5,
      true,
      null,
    ],
  ),
  fc.constantFrom<unknown>(
    { USERNAME: 'ann', PASSWORD: 'Right-7even' },
    { USERNAME: 'ann', SRP_A: 'ff' },
    { USERNAME: 'ann', SRP_A: '0', CHALLENGE_NAME: 'SRP_A' },
    { REFRESH_TOKEN: 'x' },
    {
      USERNAME: 'ann',
      PASSWORD_CLAIM_SIGNATURE: '%',
      PASSWORD_CLAIM_SECRET_BLOCK: 'AAAA',
      TIMESTAMP: 'Tue Nov 4 09:05:01 UTC 2025',
    },
    { USERNAME: 'ann', NEW_PASSWORD: 'Other-7even', 'userAttributes.email': 7 },
    [{ Name: 'email', Value: 'a@b.example' }],
    [{ Name: '__proto__', Value: 'a' }, { Name: 'custom:x' }],
    [null, {}],
    ['email'],
  ),
  fc.jsonValue({ maxDepth: 3 }),
)

/**
 * Sends random inputs to random operations. Each response must be a result or an error in Cognito's format.
 * @throws Error for a response that reports a failure of the listener
 */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  await using setup = await listeningPool()
  let refused = 0
  const call = async (operation: string, body: string) => {
    const response = await fetch(setup.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
      },
      body,
    })
    const answer = (await response.json()) as { readonly __type?: string }
    if (response.ok) return
    refused++
    if (response.status >= 500 || !/^\w+Exception$/.test(String(answer.__type)))
      throw new Error(`${operation} ${body}: ${response.status} ${JSON.stringify(answer)}`)
  }
  // RotateSigningKeys is left out, because each call takes a second of processor time.
  const asked = Object.keys(operations).filter(name => name !== 'RotateSigningKeys')
  const input = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 })
  const texts = fc.oneof(
    input.map(each => JSON.stringify(each)),
    fc.string({ unit: 'binary' }),
  )
  const costs = caseCosts()
  await costs.inHalves(half =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...asked), texts, (operation, text) =>
        costs.hold(
          () => `${operation} ${text}`,
          () => call(operation, text),
        ),
      ),
      { numRuns: Math.ceil(runs / 2), ...(seed !== undefined && { seed: seed + half }) },
    ),
  )
  return `${refused} of ${runs} requests refused, each with an error of the service; ${costs.figures()}`
}
