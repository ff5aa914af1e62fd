/** Names one receiving of one message. Opaque to those who get it. */
export function writeReceiptHandle(queue: number, message: number, nonce: string): string {
  return Buffer.from(`${queue}.${message}.${nonce}`).toString('base64url')
}

/** What a receipt names; undefined for what no queue ever gave out. */
export function readReceiptHandle(
  receiptHandle: string,
): { readonly queue: number; readonly message: number; readonly nonce: string } | undefined {
  const parts = /^(\d{1,15})\.(\d{1,15})\.([0-9a-f]+)$/.exec(
    Buffer.from(receiptHandle, 'base64url').toString(),
  )
  if (parts === null) return undefined
  return { queue: Number(parts[1]), message: Number(parts[2]), nonce: parts[3]! }
}
