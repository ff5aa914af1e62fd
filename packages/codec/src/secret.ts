/**
 * Names of fields whose values never appear in a problem, an error message or a log line: passwords, one-time
 * codes, challenge answers and their private parameters, an external provider's tokens, cookies and authorization
 * headers. All in lower case.
 */
export const secretFields: readonly string[] = [
  'password',
  'challengeanswer',
  'code',
  'answer',
  'privatechallengeparameters',
  'tokenresponse',
  'idtoken',
  'samlresponse',
  'cookie',
  'set-cookie',
  'cookies',
  'authorization',
]

/** Whether a field of this name is a secret, whatever the case of its letters. */
export function isSecret(name: string): boolean {
  return secretFields.includes(name.toLowerCase())
}
