// It looks at the words of a name: `new-password`, `api-key`. Two words need nothing between them, since headers and
// forms often join them. Every repetition has a bound, so that a long name takes no more than its length.
const secret =
  /passw|pass.?(?:code|phrase)|pwd|credential|secret(?!ar)|(?:(?<!(?:next|page).?)token|authorization|signature|assertion|(?:api|access|private|encryption).?keys?|(?:verif[a-z]{0,7}|confirm[a-z]{0,5}|security|access|reset|[2m]fa|sms|recovery|time).?codes?|sess(?:ion)?.?id|(?:saml|token).?response|challenge.?parameters|(?:challenge|security).?answer|^(?:code|answer)|(?<![a-z])(?:cookies?|t?otp|pin|jwt|cv[vc]|verifier|auth|sig|pass|pw))(?:.?(?:code|hash|header|value))?[^a-z]*$/s

/**
 * Whether a field of this name is a secret, which never appears in a problem, an error message or a log line:
 * passwords, one-time codes, challenge answers and their private parameters, tokens, keys, an external provider's
 * answers, cookies, signatures and authorization headers. The words of the name decide, however they are divided:
 * `newPassword`, `new_password` and `X-New-Password` are the same.
 */
export function isSecret(name: string): boolean {
  return secret.test(name.replaceAll(/([a-z\d])([A-Z])/g, '$1-$2').toLowerCase())
}
