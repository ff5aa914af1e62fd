import { expect, it } from '@jest/globals'
import { isSecret } from './secret.ts'

it.each([
  ...['password', 'newPassword', 'password_confirmation', 'PasswordHash', 'userpassword', 'passwd', 'pwd'],
  ...['passphrase', 'passcode', 'pass', 'smtp_pass', 'passwords', 'x-new-password', 'password2'],
  ...['secret', 'client_secret', 'clientsecret', 'secretAccessKey', 'SECRET_KEY', 'credentials'],
  ...[
    'token',
    'access_token',
    'accessToken',
    'x-amzn-oidc-accesstoken',
    'csrfToken',
    'reset_token',
    'tokenValue',
  ],
  ...['idToken', 'refresh-token', 'authToken', 'x-access-token', 'X-Session-Token', 'x-amz-security-token'],
  ...['apiKey', 'X-Api-Key', 'apikey', 'x-goog-api-key', 'private_key', 'privateKey', 'aws_access_key'],
  ...[
    'code',
    'mfaCode',
    'mfacode',
    'verification_code',
    'verificationCode',
    'otpCode',
    'pinCode',
    'securityCode',
  ],
  ...[
    'confirmCode',
    'confirmationcode',
    'challengeparameters',
    'challengeanswer',
    'securityanswer',
    'tokenhash',
  ],
  ...['otp', 'totp', 'pin', 'userPin', 'jwt', 'cvv', 'cvc2', 'code_verifier', 'sessionId', 'PHPSESSID'],
  ...['answer', 'challengeAnswer', 'securityAnswer', 'privateChallengeParameters', 'tokenResponse'],
  ...['samlResponse', 'SAMLResponse', 'stripe-signature', 'x-hub-signature-256', 'client_assertion', 'sig'],
  ...[
    'cookie',
    'Set-Cookie',
    'cookies',
    'sessionCookie',
    'authorization',
    'AUTHORIZATION',
    'proxy-authorization',
  ],
])('isSecret() is true for a field named %s', name => {
  expect(isSecret(name)).toBe(true)
})

it.each([
  ...[
    '',
    'codeParameter',
    'statusCode',
    'countryCode',
    'zipCode',
    'postcode',
    'errorCode',
    'barcode',
    'encode',
  ],
  ...[
    'tokens',
    'nexttoken',
    'pagetoken',
    'tokenType',
    'tokenizer',
    'nextToken',
    'page_token',
    'max_tokens',
    'keys',
    'keyboard',
    'monkey',
  ],
  ...[
    'primaryKey',
    'partition_key',
    'cacheKey',
    'publicKey',
    'shipping',
    'pinned',
    'spin',
    'passenger',
    'compass',
  ],
  ...['secretary', 'session', 'author', 'authorId', 'oauth', 'design', 'answers', 'answered', 'cookieBanner'],
  ...['assertions', 'signed', 'toString', '__proto__'],
])('isSecret() is false for a field named %p', name => {
  expect(isSecret(name)).toBe(false)
})

it('isSecret() handles names of a million characters', () => {
  for (const part of ['a', 'verif', 'confirm', 'token', 'pin1', 'aB', '-', 'secretar', 'code'])
    expect(isSecret(`${part.repeat(200_000)}.x`)).toBe(false)
})
