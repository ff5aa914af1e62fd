import { createHash, type Hash } from 'node:crypto'
import type { MessageAttributes } from './store/queue-store.ts'

/** Returns the MD5 digest of a body in hexadecimal digits. See docs/contract/queue.md#record.md5OfBody. */
export function md5OfBody(body: string): string {
  return createHash('md5').update(body).digest('hex')
}

/**
 * Returns the MD5 digest of message attributes, sorted by name. Each attribute contributes its name, its type, one
 * byte for the kind of its value, and its value. Each part except the single byte is preceded by its length.
 * Returns undefined if there are no attributes.
 */
export function md5OfAttributes(attributes: MessageAttributes): string | undefined {
  const names = Object.keys(attributes).sort()
  if (names.length === 0) return undefined
  const hash = createHash('md5')
  for (const name of names) {
    const { dataType, stringValue, binaryValue } = attributes[name]!
    add(hash, Buffer.from(name))
    add(hash, Buffer.from(dataType))
    hash.update(Buffer.of(dataType.startsWith('Binary') ? 2 : 1))
    add(hash, dataType.startsWith('Binary') ? Buffer.from(binaryValue!, 'base64') : Buffer.from(stringValue!))
  }
  return hash.digest('hex')
}

function add(hash: Hash, bytes: Buffer): void {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  hash.update(length).update(bytes)
}
