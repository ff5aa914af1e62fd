import { createECDH, createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { Vault } from '@signalbox/platform-runtime/secrets'
import { userHeader } from './identity-header.ts'
import type { Session } from './session-cookies.ts'

/** The key that signs the claims about users. It follows from the load balancers' secret key, so machines share it. */
export interface IdentityKey {
  readonly id: string
  readonly privateKey: KeyObject
  /** The public key in PEM format. */
  readonly published: string
}

/** The order of the curve P-256. A private key is a number from 1 to one below it. */
const order = 0xffff_ffff_0000_0000_ffff_ffff_ffff_ffff_bce6_faad_a717_9e84_f3b9_cac2_fc63_2551n

/** Returns the signing key of a vault. */
export function identityKey(vault: Vault): IdentityKey {
  // With 128 bits more than the order has, the remainder is as good as evenly distributed (FIPS 186-5, A.2.1).
  const seed = vault.derive('1', 'identity signing key', 48)
  const number = (BigInt(`0x${seed.toString('hex')}`) % (order - 1n)) + 1n
  const secret = Buffer.from(number.toString(16).padStart(64, '0'), 'hex')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(secret)
  const point = pair.getPublicKey()
  const privateKey = createPrivateKey({
    format: 'jwk',
    key: {
      ...{ kty: 'EC', crv: 'P-256', d: secret.toString('base64url') },
      ...{ x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') },
    },
  })
  const digits = createHash('sha256').update(point).digest('hex')
  return {
    // In the form of a UUID, as functions and proxies expect it in a path.
    id: digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    privateKey,
    published: String(createPublicKey(privateKey).export({ type: 'spki', format: 'pem' })),
  }
}

/** Seconds for which the claims are valid. */
const life = 120

/**
 * Returns the headers that tell a function who has signed in. Their names are those of the contract: a dialect translates
 * them. The claims are a JSON web token whose Base64url has padding, as functions of the service expect.
 * @param arn the ARN of the load balancer, which is the signer
 * @param now milliseconds since the epoch
 */
export function identityHeaders(
  { id, privateKey }: IdentityKey,
  arn: string,
  { claims, accessToken, issuer, clientId }: Session,
  now: number,
): readonly (readonly [name: string, value: string])[] {
  const exp = Math.floor(now / 1000) + life
  const header = { typ: 'JWT', kid: id, alg: 'ES256', iss: issuer, client: clientId, signer: arn, exp }
  const data = `${encoded(JSON.stringify(header))}.${encoded(JSON.stringify({ ...claims, exp, iss: issuer }))}`
  const signature = sign('sha256', Buffer.from(data), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return [
    ['x-cloud-oidc-data', `${data}.${encoded(signature)}`],
    ['x-cloud-oidc-accesstoken', accessToken],
    [userHeader, claims.sub],
  ]
}

function encoded(bytes: string | Buffer): string {
  return Buffer.from(bytes as string)
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}
