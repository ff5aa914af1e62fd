/**
 * Warns when code reads a field by the name that a provider gives it, although the object has it under its neutral name.
 * What warns is not enumerable, so that JSON, spreads and copies of the object do not change. Plugins call it in
 * development.
 * @param where what the warning is about, such as the name of a trigger source
 * @param place the name of the object in the warning
 * @example
 * ```ts
 * import { warnOfName } from '@signalbox/core'
 *
 * const request = { region: 'eu-central-1' }
 * warnOfName(request, 'region', 'awsRegion', 'PreSignUp_SignUp', 'the request')
 * console.log((request as { awsRegion?: string }).awsRegion)
 * ```
 */
export function warnOfName(
  holder: unknown,
  name: string,
  providerName: string,
  where: string,
  place: string,
): void {
  if (typeof holder !== 'object' || holder === null || !Object.isExtensible(holder)) return
  // The object may also have a field with the provider's name.
  if (!(name in holder) || providerName in holder) return
  Object.defineProperty(holder, providerName, {
    configurable: true,
    get: () => void console.warn(`${where}: write ${name} for ${providerName} in ${place}.`),
    set: value => Object.defineProperty(holder, providerName, { value, writable: true, enumerable: true }),
  })
}
