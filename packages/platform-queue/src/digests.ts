import { createHash, type Hash } from 'node:crypto'
import type { MessageAttributes } from './store/queue-store.ts'

/** MD5 of a body, as hexadecimal digits. Contract B, md5OfBody. */
export function md5OfBody(body: string): string {
  return createHash('md5').update(body).digest('hex')
}

/**
 * MD5 of attributes in order of name, each as name, type, one byte for the kind of value, and value, all but that
 * byte with their length before them. Undefined when there are none.
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
