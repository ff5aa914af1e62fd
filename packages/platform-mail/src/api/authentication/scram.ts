import { createHash, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Identity } from '@signalbox/platform-runtime/access'

/** The access key with the name that a client sent. Undefined for an unknown name. */
type ClaimedKey = { readonly secret: string; readonly identity: Identity } | undefined

/** A SCRAM-SHA-256 exchange. */
interface ScramExchange {
  /** The name that the client sent. */
  readonly user: string
  /** The server's first message. */
  readonly serverFirst: string
  /** Checks the client's proof. Returns undefined if the proof is wrong. */
  readonly finish: (
    clientFinal: string,
    key: ClaimedKey,
  ) => Promise<{ readonly serverFinal: string; readonly identity: Identity } | undefined>
}

/** The server's side of SCRAM-SHA-256. */
export interface Scram {
  /** Reads the client's first message. Returns undefined if the message is malformed or requires channel binding. */
  readonly begin: (clientFirst: string) => ScramExchange | undefined
}

/**
 * The number of iterations, which is the minimum in RFC 7677. The secrets are too long to be guessed, so the minimum is
 * enough.
 */
const iterations = 4096

const derive = promisify(pbkdf2)

/**
 * SCRAM-SHA-256 (RFC 5802, RFC 7677) without channel binding. A sign-in with an unknown name takes the same steps
 * and the same time as one with a wrong password.
 * @param random returns random bytes
 */
export function scramServer(random: (size: number) => Uint8Array): Scram {
  // The salt of a name does not change while the process runs, even if the name is unknown.
  const saltKey = Buffer.from(random(32))
  return {
    begin(clientFirst) {
      const [, bound, authorized, bare] = /^([ny]),(?:a=([^,]*))?,(.*)$/s.exec(clientFirst) ?? []
      const [, name, clientNonce] =
        /^n=([^,]+),r=([\x21-\x2b\x2d-\x7e]{1,256})(?:,.*)?$/s.exec(bare ?? '') ?? []
      if (bare === undefined || name === undefined || clientNonce === undefined) return undefined
      if (authorized !== undefined && authorized !== name) return undefined
      const user = name.replaceAll('=2C', ',').replaceAll('=3D', '=')
      const nonce = `${clientNonce}${Buffer.from(random(18)).toString('base64')}`
      const salt = createHmac('sha256', saltKey).update(user).digest().subarray(0, 16)
      const serverFirst = `r=${nonce},s=${salt.toString('base64')},i=${iterations}`
      const header = `${bound},${authorized === undefined ? '' : `a=${authorized}`},`
      return {
        user,
        serverFirst,
        async finish(clientFinal, key) {
          const [, withoutProof, binding, sentNonce, proof] =
            /^(c=([A-Za-z0-9+/=]*),r=([^,]*)(?:,[^,]*)*?),p=([A-Za-z0-9+/=]{44})$/s.exec(clientFinal) ?? []
          const salted = await derive(key?.secret ?? 'unknown', salt, iterations, 32, 'sha256')
          if (withoutProof === undefined || proof === undefined) return undefined
          if (binding !== Buffer.from(header).toString('base64') || sentNonce !== nonce) return undefined
          const message = `${bare},${serverFirst},${withoutProof}`
          const clientKey = hmac(salted, 'Client Key')
          const storedKey = createHash('sha256').update(clientKey).digest()
          const signature = hmac(storedKey, message)
          const expected = clientKey.map((byte, at) => byte ^ signature[at]!)
          const sent = Buffer.from(proof, 'base64')
          if (sent.length !== expected.length || !timingSafeEqual(sent, expected) || key === undefined)
            return undefined
          const verifier = hmac(hmac(salted, 'Server Key'), message).toString('base64')
          return { serverFinal: `v=${verifier}`, identity: key.identity }
        },
      }
    },
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
