import { createCipheriv } from 'node:crypto'
import type { Random } from '@signalbox/platform-runtime'
import type { Vault } from '@signalbox/platform-runtime/secrets'

/** The environment variable in which functions find the key of sealed codes. */
export const codeKeyVariable = 'SIGNALBOX_CODE_KEY'

const keySize = 32
const nonceSize = 12

/** Returns the key that seals codes. Functions get this key too, so it must seal nothing else. */
export function codeKey(vault: Vault): Buffer {
  return vault.derive('codes', 'custom senders', keySize)
}

/** Seals a code in the form for custom senders. `codeDecrypter` of `@signalbox/user-pool` opens it. */
export function sealCode(vault: Vault, random: Random, code: string): string {
  const nonce = random(nonceSize)
  const cipher = createCipheriv('aes-256-gcm', codeKey(vault), nonce)
  return Buffer.concat([nonce, cipher.update(code, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  )
}
