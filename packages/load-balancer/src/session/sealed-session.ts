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
   * Secret texts of 32 characters or more. The first secret seals new cookies. All secrets can open cookies. To replace
   * a secret, put a new one before it.
   */
  readonly secrets: readonly string[]
  /** Checks and types the data in the cookie. A cookie with other data counts as missing. */
  readonly data: CodecOrSchema<Data>
  /** The name of the cookie. Default `__Host-session`. */
  readonly name?: string
  /** Seconds for which a session lasts. Default 12 hours. */
  readonly maxAge?: number
  readonly clock?: Clock
}

/** A session in a cookie that only the function can read. */
export interface SealedSession<Data> {
  /** Lets requests with a session pass, and gives routes its data as `session`. Others are answered with 401. */
  readonly guard: Guard<{ readonly session: Data }>
  /** A copy of a reply that begins a session, or replaces its data. */
  readonly begin: (reply: Reply, data: Data) => Promise<Reply>
  /** A copy of a reply that ends the session. A copy of its cookie is valid until it expires. */
  readonly end: (reply: Reply) => Reply
}

/**
 * Sessions without a store: the data is in a cookie, encrypted and signed (a JSON web token with A256GCM), with the
 * time when it expires. Browsers keep about 4 KB; a larger session is refused when it begins.
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
  const now = () => Math.floor(clock.now() / 1000)

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
        // The audience is the cookie's name, so that a cookie of another purpose with the same secret is invalid.
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
          currentDate: new Date(clock.now()),
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

/** Returns a key of 256 bits. The secret is random, so it needs no slow derivation. */
function keyOf(secret: string): Uint8Array {
  return createHash('sha256').update(`signalbox sealed session\n${secret}`).digest()
}
