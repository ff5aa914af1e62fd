/**
 * Returns whether a field with this name is a secret: a password, a one-time code, a challenge answer, private
 * parameters, a token, a key, an answer of an external provider, a cookie, a signature or an authorization header.
 * Problems, errors and log lines do not show secrets. Only the words of the name matter, so that `newPassword`,
 * `new_password` and `X-New-Password` are treated alike.
 * @example
 * ```ts
 * import { isSecret } from '@signalbox/codec'
 *
 * isSecret('X-New-Password') // true
 * isSecret('userName') // false
 * ```
 */
export function isSecret(name: string): boolean {
  // The words of a secret name, such as `new-password` or `api-key`. They need no separator, because headers and forms
  // often join them. Every repetition is bounded, so that the time grows only in proportion to the length of the name.
  const secret =
    /passw|pass.?(?:code|phrase)|pwd|credential|secret(?!ar)|(?:(?<!(?:next|page).?)token|authorization|signature|assertion|(?:api|access|private|encryption).?keys?|(?:verif[a-z]{0,7}|confirm[a-z]{0,5}|security|access|reset|[2m]fa|sms|recovery|time).?codes?|sess(?:ion)?.?id|(?:saml|token).?response|challenge.?parameters|(?:challenge|security).?answer|^(?:code|answer)|(?<![a-z])(?:cookies?|t?otp|pin|jwt|cv[vc]|verifier|auth|sig|pass|pw))(?:.?(?:code|hash|header|value))?[^a-z]*$/s
  return secret.test(name.replaceAll(/([a-z\d])([A-Z])/g, '$1-$2').toLowerCase())
}
