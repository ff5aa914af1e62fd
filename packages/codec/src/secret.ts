/**
 * Names of fields whose values never appear in a problem, an error message or a log line: passwords, one-time
 * codes, challenge answers and their private parameters, tokens, keys, an external provider's answers, cookies and
 * authorization headers. All in lower case.
 */
export const secretFields: readonly string[] = [
  'password',
  'passwd',
  'pwd',
  'passphrase',
  'challengeanswer',
  'code',
  'answer',
  'privatechallengeparameters',
  'token',
  'access_token',
  'id_token',
  'refresh_token',
  'session_token',
  'security_token',
  'tokenresponse',
  'idtoken',
  'samlresponse',
  'secret',
  'client_secret',
  'api_key',
  'x-api-key',
  'private_key',
  'x-auth-token',
  'x-csrf-token',
  'x-amz-security-token',
  'cookie',
  'set-cookie',
  'cookies',
  'authorization',
  'proxy-authorization',
]

const names: ReadonlySet<string> = new Set(secretFields.map(withoutSeparators))

/** Whether a field of this name is a secret, whatever the case of its letters, with or without `-` and `_` in it. */
export function isSecret(name: string): boolean {
  return names.has(withoutSeparators(name.toLowerCase()))
}

function withoutSeparators(name: string): string {
  return name.replaceAll(/[-_]/g, '')
}
