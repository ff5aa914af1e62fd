import type { TriggerEvent } from '../contract/index.ts'

/**
 * Warns when code reads a user attribute by the name of a provider, such as `cognito:user_status`, although the event
 * has it as `pool:user_status`. Types find this mistake only for literal names. The getters that warn are not
 * enumerable, so that JSON, spreads and copies of the event do not change.
 */
export function warnOfProviderNames({ triggerSource, request }: TriggerEvent): void {
  const attributes = 'userAttributes' in request ? request.userAttributes : {}
  if (!Object.isExtensible(attributes)) return
  for (const name of Object.keys(attributes)) {
    const providerName = name.replace(/^pool:/, 'cognito:')
    // The event may also have an attribute with the provider's name.
    if (providerName in attributes) continue
    Object.defineProperty(attributes, providerName, {
      configurable: true,
      get: () => void console.warn(`${triggerSource}: write ${name} for ${providerName} in userAttributes.`),
      set: value =>
        Object.defineProperty(attributes, providerName, { value, writable: true, enumerable: true }),
    })
  }
}
