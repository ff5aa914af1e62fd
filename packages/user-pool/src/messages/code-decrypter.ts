import { createDecipheriv } from 'node:crypto'
import { InvalidOptionError, notAnAnswer, refuseUnknownOptions } from '@signalbox/core'
import type { Decrypt } from './decrypt.ts'

/** The environment variable that contains the key for decrypting codes. */
const keyVariable = 'SIGNALBOX_CODE_KEY'

const keySize = 32
const nonceSize = 12
const tagSize = 16

/**
 * Returns a function that decrypts the codes that the platform encrypts for custom senders
 * (docs/contract/user-pool.md#custom-email-sender).
 *
 * @param options `key` is 32 bytes in base64. Default: the environment variable `SIGNALBOX_CODE_KEY`, which the
 * platform sets for functions
 * @throws InvalidOptionError when there is no key. The returned function throws for a code that was encrypted with
 * another key
 * @example
 * signalbox(userPool({ CustomEmailSender: ({ request }) => send(request.code) }, { decrypt: codeDecrypter() }))
 */
export function codeDecrypter(options: { readonly key?: string } = {}): Decrypt {
  refuseUnknownOptions('codeDecrypter()', options, ['key'])
  return notAnAnswer('a decrypter', (code: string) => {
    const key = Buffer.from(options.key ?? process.env[keyVariable] ?? '', 'base64')
    if (key.length !== keySize)
      throw new InvalidOptionError(
        `codeDecrypter() needs a key of ${keySize} bytes in base64: the option key, or ${keyVariable}.`,
      )
    const bytes = Buffer.from(code, 'base64')
    try {
      const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceSize)).setAuthTag(
        bytes.subarray(-tagSize),
      )
      return cipher.update(bytes.subarray(nonceSize, -tagSize), undefined, 'utf8') + cipher.final('utf8')
    } catch {
      throw new Error('The code was encrypted with another key.')
    }
  })
}
