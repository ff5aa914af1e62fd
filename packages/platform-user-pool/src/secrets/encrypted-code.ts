import { createCipheriv } from 'node:crypto'
import type { Random } from '@signalbox/platform-runtime'
import type { Vault } from '@signalbox/platform-runtime/secrets'

/** The environment variable with the key that functions need to decrypt codes. */
export const codeKeyVariable = 'SIGNALBOX_CODE_KEY'

const keySize = 32
const nonceSize = 12

/** Returns the key that encrypts codes. Functions get this key too, so it must encrypt nothing else. */
export function codeKey(vault: Vault): Buffer {
  return vault.derive('codes', 'custom senders', keySize)
}

/** Encrypts a code for custom senders. They decrypt it with `codeDecrypter` of `@signalbox/user-pool`. */
export function encryptCode(vault: Vault, random: Random, code: string): string {
  const nonce = random(nonceSize)
  const cipher = createCipheriv('aes-256-gcm', codeKey(vault), nonce)
  return Buffer.concat([nonce, cipher.update(code, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  )
}
