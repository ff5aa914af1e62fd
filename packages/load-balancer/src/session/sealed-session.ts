import { createHash } from 'node:crypto'
import { type CodecOrSchema, validateAsync } from '@signalbox/codec'
import { type Clock, InvalidOptionError, refuseUnknownOptions, systemClock } from '@signalbox/core'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import { HttpError } from '../response/http-error.ts'
import type { Reply } from '../response/reply.ts'
import { withCookie, withoutCookie } from '../response/set-cookie.ts'
import { type Guard, guard } from '../routing/guard.ts'

/** Options of `sealedSession`. */
export interface SealedSessionOptions<Data> {
  /**
   * Secrets with at least 32 characters. The first secret seals new cookies, and every secret can open cookies. To
   * replace a secret, put the new secret before it.
   */
  readonly secrets: readonly string[]
  /** Checks the data in the cookie and gives it a type. A cookie with other data is treated as missing. */
  readonly data: CodecOrSchema<Data>
  /** The name of the cookie. Default `__Host-session`. */
  readonly name?: string
  /** The length of a session in seconds. Default 12 hours. */
  readonly maxAge?: number
  readonly clock?: Clock
}

/** Sessions whose data is in a cookie that only the function can read. */
export interface SealedSession<Data> {
  /**
   * Accepts requests with a session, and gives routes its data as `session`. The answer to a request without a session
   * is 401.
   */
  readonly guard: Guard<{ readonly session: Data }>
  /** Returns a copy of a reply that begins a session, or replaces its data. */
  readonly begin: (reply: Reply, data: Data) => Promise<Reply>
  /**
   * Returns a copy of a reply that ends the session. If a client has copied the cookie, the copy is valid until it
   * expires.
   */
  readonly end: (reply: Reply) => Reply
}

/**
 * Makes sessions without a store: the data and its expiry are in a cookie, encrypted and authenticated (a JSON web
 * token with A256GCM). Browsers accept cookies of about 4 KB, so a larger session is refused when it begins.
 *
 * @example
 * const session = sealedSession({ secrets: [process.env.SESSION_SECRET!], data: t.type({ user: t.string }) })
 *
 * post('/sign-in', { body: SignIn, accepts: ['form'] }, async ({ body }) =>
 *   session.begin(redirect('/me', 303), { user: await signIn(body) }),
 * )
 * get('/me', { guard: session.guard }, ({ session }) => json(session.user))
 *
 * @throws InvalidOptionError for an unknown option and for a secret that is too short
 */
export function sealedSession<Data>(options: SealedSessionOptions<Data>): SealedSession<Data> {
  refuseUnknownOptions('sealedSession()', options, ['secrets', 'data', 'name', 'maxAge', 'clock'])
  const { secrets, data, name = '__Host-session', maxAge = 12 * 60 * 60, clock = systemClock } = options
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every(isLong)) {
    throw new InvalidOptionError('sealedSession(): secrets is not a list of texts of 32 characters or more')
  }
  if (!(Number.isInteger(maxAge) && maxAge >= 1)) {
    throw new InvalidOptionError(`sealedSession(): maxAge is ${maxAge}, expected whole seconds, 1 or more`)
  }
  const keys = secrets.map(keyOf)
  const now = () => Math.floor(clock.wall() / 1000)

  return {
    guard: Object.assign(
      guard(async ({ cookies }) => {
        const token = cookies[name]
        const opened = token === undefined ? undefined : await open(token)
        const result = opened === undefined ? undefined : await validateAsync(data, opened)
        if (result?._tag !== 'Right') throw new HttpError(401, 'Sign in first')
        return { session: result.right }
      }),
      { name: 'session' },
    ),
    async begin(reply, session) {
      const token = await new EncryptJWT({ session })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        // The audience is the name of the cookie, so that a cookie with another name is invalid, even with
        // the same secret.
        .setAudience(name)
        .setExpirationTime(now() + maxAge)
        .encrypt(keys[0]!)
      return withCookie(reply, name, token, { maxAge })
    },
    end: reply => withoutCookie(reply, name),
  }

  async function open(token: string): Promise<unknown> {
    for (const key of keys) {
      try {
        const { payload } = await jwtDecrypt(token, key, {
          audience: name,
          requiredClaims: ['exp'],
          currentDate: new Date(clock.wall()),
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        })
        return payload.session
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error
      }
    }
    return undefined
  }
}

function isLong(secret: unknown): boolean {
  return typeof secret === 'string' && secret.length >= 32
}

/** Returns a key of 256 bits. The secret is random, so no slow derivation is needed. */
function keyOf(secret: string): Uint8Array {
  return createHash('sha256').update(`signalbox sealed session\n${secret}`).digest()
}
