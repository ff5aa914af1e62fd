import { createHash, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Identity } from '@signalbox/platform-runtime/access'

/** The key that a client claims to know. Undefined for an unknown one. */
type ClaimedKey = { readonly secret: string; readonly identity: Identity } | undefined

/** One exchange of SCRAM-SHA-256. */
interface ScramExchange {
  /** The name that the client gives. */
  readonly user: string
  /** The first message of the server. */
  readonly serverFirst: string
  /** Checks the proof of the client. Undefined for a wrong one. */
  readonly finish: (
    clientFinal: string,
    key: ClaimedKey,
  ) => Promise<{ readonly serverFinal: string; readonly identity: Identity } | undefined>
}

/** The server of SCRAM-SHA-256. */
export interface Scram {
  /** Reads the first message of a client. Undefined for a malformed one, and for one that asks for channel binding. */
  readonly begin: (clientFirst: string) => ScramExchange | undefined
}

/** The least number that RFC 7677 allows. The secrets of keys are too long to guess with any number. */
const iterations = 4096

const derive = promisify(pbkdf2)

/**
 * SCRAM-SHA-256 (RFC 5802, RFC 7677) without channel binding. An unknown name takes the same steps and the same time as a
 * known one with a wrong password.
 * @param random random bytes
 */
export function scramServer(random: (size: number) => Uint8Array): Scram {
  // The salt of a name stays the same while the process runs, whether the name is known or not.
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
