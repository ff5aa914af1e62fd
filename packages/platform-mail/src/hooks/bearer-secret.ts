import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Returns a function that checks the header `authorization`: the secret is a bearer token (RFC 6750), or the password of any
 * user (RFC 7617). The time that it takes does not depend on the secret.
 */
export function bearerSecret(secret: string): (authorization: string | undefined) => boolean {
  const expected = digest(Buffer.from(secret))
  return authorization => {
    const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+)$/i.exec(authorization ?? '') ?? []
    return timingSafeEqual(
      digest(scheme.toLowerCase() === 'basic' ? passwordIn(value) : latin1(value)),
      expected,
    )
  }
}

// Node reads headers as Latin-1.
const latin1 = (text: string) => Buffer.from(text, 'latin1')

function passwordIn(credentials: string): Buffer {
  const bytes = Buffer.from(credentials, 'base64')
  const colon = bytes.indexOf(':')
  return colon < 0 ? Buffer.alloc(0) : bytes.subarray(colon + 1)
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
