import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An issuer of tokens for `bearer()` and `balancerIdentity()`, whose keys are served on this machine. */
export interface TokenIssuer extends AsyncDisposable {
  readonly url: string
  /** Returns a token for `bearer()`. */
  token(sub: string): string
  /** Returns a token as a load balancer signs it. */
  identity(sub: string): string
}

const kid = 'key-1'
export const signer = 'the load balancer of the soak'

export async function tokenIssuer(): Promise<TokenIssuer> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const server = createServer(({ url }, response) => {
    if (url === '/keys') {
      const key = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [key] }))
    } else response.end(publicKey.export({ format: 'pem', type: 'spki' }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const exp = Math.floor(Date.now() / 1000) + 24 * 60 * 60
  const signed = (header: object, claims: object) => {
    const parts = [{ alg: 'ES256', kid, ...header }, claims].map(part =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const text = parts.join('.')
    const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${text}.${signature.toString('base64url')}`
  }
  return {
    url,
    token: sub => signed({ typ: 'at+jwt' }, { iss: url, aud: 'soak', exp, sub }),
    identity: sub => signed({ typ: 'JWT', signer, exp }, { sub }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
