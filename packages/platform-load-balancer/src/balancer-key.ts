import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenContext } from '@signalbox/platform-runtime'
import type { Vault } from '@signalbox/platform-runtime/secrets'
import type { LoadBalancerSettings } from './config/load-balancer-settings.ts'

/** The environment variable with the key of sessions and stickiness: 32 bytes in base64. */
const loadBalancerKeyVariable = 'SIGNALBOX_LOAD_BALANCER_KEY'

/** The environment variable with the key before the last change. */
const previousKeyVariable = 'SIGNALBOX_LOAD_BALANCER_PREVIOUS_KEY'

/** Encrypts with the key of all load balancers, and also decrypts what the key before it encrypted. */
export interface BalancerVault extends Vault {
  /** The vault of the previous key. Undefined when there is none. */
  readonly previous: Vault | undefined
}

/** Returns whether a load balancer has secrets: sessions, or which function a client stays with. */
export function hasSecrets({ action, rules }: Pick<LoadBalancerSettings, 'action' | 'rules'>): boolean {
  return [action, ...rules.map(rule => rule.action)].some(
    each => each.authenticate !== undefined || (each.kind === 'forward' && each.sticky !== undefined),
  )
}

/**
 * Returns a function that opens the vault of all load balancers, when it is first called. Its key is in the environment,
 * or else in a file of the data directory. Platforms that share a database answer the same clients, so they need one key.
 * What the previous key encrypted, if there is one in the same places, can be decrypted until it expires.
 */
export function balancerVault({ directory, engine, random }: OpenContext): () => Promise<BalancerVault> {
  let opened: Promise<BalancerVault> | undefined
  return () => {
    opened ??= import('@signalbox/platform-runtime/secrets').then(({ masterKey, vault }) => {
      const fromEnvironment = process.env[loadBalancerKeyVariable]
      if (engine !== undefined && fromEnvironment === undefined)
        throw new Error(
          `Load balancers of platforms that share a database need one key for sessions. Set the environment variable ${loadBalancerKeyVariable} to 32 random bytes in base64, such as the output of: openssl rand -base64 32`,
        )
      const folder = fromEnvironment === undefined ? directory.folder('load-balancers') : ''
      const current = vault(masterKey(folder, fromEnvironment, loadBalancerKeyVariable, random), random)
      const before = process.env[previousKeyVariable]
      const previousFolder = join(folder, 'previous')
      const isKept = before !== undefined || (folder !== '' && existsSync(join(previousFolder, 'key')))
      if (!isKept) return { ...current, previous: undefined }
      const previous = vault(masterKey(previousFolder, before, previousKeyVariable, random), random)
      return {
        ...current,
        decrypt: (text, about) => current.decrypt(text, about) ?? previous.decrypt(text, about),
        previous,
      }
    })
    return opened
  }
}
