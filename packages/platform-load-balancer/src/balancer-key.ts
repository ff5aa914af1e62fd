import type { OpenContext } from '@signalbox/platform-runtime'
import type { Vault } from '@signalbox/platform-runtime/secrets'
import type { LoadBalancerSettings } from './config/load-balancer-settings.ts'

/** The environment variable with the key of sessions and stickiness: 32 bytes in base64. */
const loadBalancerKeyVariable = 'SIGNALBOX_LOAD_BALANCER_KEY'

/** Returns whether a load balancer has secrets: sessions, or which function a client stays with. */
export function hasSecrets({ action, rules }: Pick<LoadBalancerSettings, 'action' | 'rules'>): boolean {
  return [action, ...rules.map(rule => rule.action)].some(
    each => each.authenticate !== undefined || (each.kind === 'forward' && each.sticky !== undefined),
  )
}

/**
 * Returns a function that opens the vault of all load balancers, when it is first called. Its key is in the environment,
 * or else in a file of the data directory. Platforms that share a database answer the same clients, so they need one key.
 */
export function balancerVault({ directory, engine, random }: OpenContext): () => Promise<Vault> {
  let opened: Promise<Vault> | undefined
  return () => {
    opened ??= import('@signalbox/platform-runtime/secrets').then(({ masterKey, vault }) => {
      const fromEnvironment = process.env[loadBalancerKeyVariable]
      if (engine !== undefined && fromEnvironment === undefined)
        throw new Error(
          `Load balancers of platforms that share a database need one key for sessions. Set the environment variable ${loadBalancerKeyVariable} to 32 random bytes in base64, such as the output of: openssl rand -base64 32`,
        )
      const folder = fromEnvironment === undefined ? directory.folder('load-balancers') : ''
      return vault(masterKey(folder, fromEnvironment, loadBalancerKeyVariable, random), random)
    })
    return opened
  }
}
