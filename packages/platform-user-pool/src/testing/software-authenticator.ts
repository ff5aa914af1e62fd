import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** The creation options that a browser and its authenticator use. */
interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id?: string }
  readonly user: { readonly id: string }
}

interface RequestOptions {
  readonly challenge: string
  readonly rpId?: string
  readonly allowCredentials?: readonly { readonly id: string }[]
}

/** Ways in which an authenticator can deviate from the correct behaviour. */
export interface Behaviour {
  readonly origin?: string
  readonly crossOrigin?: boolean
  /** Whether the authenticator verifies the user by a fingerprint, a face or a PIN. */
  readonly verifies?: boolean
  readonly rpId?: string
  readonly challenge?: string
  /** The signature counter that the authenticator reports. */
  readonly counter?: number
  /** The id of the passkey that the authenticator signs with. */
  readonly credential?: string
  readonly userHandle?: string
  readonly type?: 'webauthn.create' | 'webauthn.get'
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()

/** Simulates a browser and its authenticator, which creates passkeys on the curve P-256. */
export function softwareAuthenticator(origin = 'http://localhost:3000') {
  const passkeys = new Map<string, { key: KeyObject; userHandle: string; counter: number }>()

  const clientData = (type: Behaviour['type'], challenge: string, behaviour: Behaviour) =>
    Buffer.from(
      JSON.stringify({
        type: behaviour.type ?? type,
        challenge: behaviour.challenge ?? challenge,
        origin: behaviour.origin ?? origin,
        crossOrigin: behaviour.crossOrigin ?? false,
      }),
    )

  const authenticatorData = (rpId: string, counter: number, verifies: boolean, attested?: Uint8Array) => {
    const flags = 0x01 | (verifies ? 0x04 : 0) | (attested === undefined ? 0 : 0x40)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)])
  }

  return {
    passkeys,
    /** Makes a passkey like `navigator.credentials.create()`. Returns JSON. */
    create(options: CreationOptions, behaviour: Behaviour = {}) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const id = randomBytes(32)
      const { x, y } = publicKey.export({ format: 'jwk' })
      const cose = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Uint8Array.from(Buffer.from(x!, 'base64url'))],
        [-3, Uint8Array.from(Buffer.from(y!, 'base64url'))],
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, 32]), id, isoCBOR.encode(cose)])
      const { verifies = true, counter = 0, rpId = options.rp.id! } = behaviour
      const authData = Uint8Array.from(authenticatorData(rpId, counter, verifies, attested))
      const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      passkeys.set(base64url(id), { key: privateKey, userHandle: options.user.id, counter })
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key' as const,
        clientExtensionResults: {},
        authenticatorAttachment: 'platform',
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options.challenge, behaviour)),
          attestationObject: base64url(isoCBOR.encode(attestation)),
          transports: ['internal', 'hybrid'],
        },
      }
    },
    /** Signs with an allowed passkey like `navigator.credentials.get()`. */
    get(options: RequestOptions, behaviour: Behaviour = {}) {
      const allowed = options.allowCredentials?.map(({ id }) => id).find(id => passkeys.has(id))
      const id = behaviour.credential ?? allowed ?? [...passkeys.keys()][0]!
      const passkey = passkeys.get(id)!
      passkey.counter = behaviour.counter ?? passkey.counter + 1
      const { verifies = true, rpId = options.rpId! } = behaviour
      const data = authenticatorData(rpId, passkey.counter, verifies)
      const client = clientData('webauthn.get', options.challenge, behaviour)
      return {
        id,
        rawId: id,
        type: 'public-key' as const,
        clientExtensionResults: {},
        authenticatorAttachment: null,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), passkey.key)),
          userHandle: behaviour.userHandle ?? passkey.userHandle,
        },
      }
    },
  }
}
