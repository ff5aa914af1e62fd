import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '@signalbox/core'

/** Milliseconds without a request after which a session ends. */
const idleLimit = 12 * 60 * 60 * 1000

/** The maximum number of unused links. Each further link makes the oldest one invalid. */
const mostLinks = 20

/** The sessions of a console. They exist only in the memory of the process. */
export interface Sessions {
  /** Creates a token that opens one session. */
  readonly newToken: () => string
  /**
   * Opens a session with a token. Returns the secret of the session, or undefined for an unknown or used
   * token.
   */
  readonly openWith: (token: string) => string | undefined
  /** Opens a session for an access key, and returns the secret of the session. */
  readonly openFor: (keyId: string) => string
  /** Returns the session with this secret, or undefined if it is unknown or has ended. */
  readonly find: (secret: string) => Session | undefined
  readonly end: (secret: string) => void
}

interface Session {
  /** The key that the visitor signed in with. Undefined for a session that began with a link. */
  readonly keyId: string | undefined
}

/**
 * Keeps sessions that begin with one-time tokens or with keys. It stores only digests of secrets, so that a
 * lookup takes the same time for any guess.
 */
export function sessions(clock: Clock): Sessions {
  const tokens = new Set<string>()
  const open = new Map<string, Session & { used: number }>()
  const newSecret = () => randomBytes(32).toString('base64url')
  const begin = (keyId?: string) => {
    const now = clock.now()
    for (const [key, { used }] of open) if (now - used > idleLimit) open.delete(key)
    const secret = newSecret()
    open.set(digest(secret), { used: now, keyId })
    return secret
  }

  return {
    newToken() {
      const token = newSecret()
      tokens.add(digest(token))
      for (const oldest of tokens) {
        if (tokens.size <= mostLinks) break
        tokens.delete(oldest)
      }
      return token
    },
    openWith: token => (tokens.delete(digest(token)) ? begin() : undefined),
    openFor: begin,
    find(secret) {
      const session = open.get(digest(secret))
      const now = clock.now()
      if (session === undefined || now - session.used > idleLimit) return undefined
      session.used = now
      return session
    },
    end(secret) {
      open.delete(digest(secret))
    },
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
