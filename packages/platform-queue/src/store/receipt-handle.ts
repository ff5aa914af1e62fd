/** Writes a receipt handle, which identifies one time that a message was received. It is opaque to clients. */
export function writeReceiptHandle(queue: number, message: number, nonce: string): string {
  return Buffer.from(`${queue}.${message}.${nonce}`).toString('base64url')
}

/** Reads a receipt handle. Returns undefined for a string that is not a receipt handle. */
export function readReceiptHandle(
  receiptHandle: string,
): { readonly queue: number; readonly message: number; readonly nonce: string } | undefined {
  const parts = /^(\d{1,15})\.(\d{1,15})\.([0-9a-f]+)$/.exec(
    Buffer.from(receiptHandle, 'base64url').toString(),
  )
  if (parts === null) return undefined
  return { queue: Number(parts[1]), message: Number(parts[2]), nonce: parts[3]! }
}
