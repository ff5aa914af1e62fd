import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '@signalbox/core'

/** Who a request comes from. */
export interface Visitor {
  readonly name: string
}

/** Milliseconds without a request after which a session ends. */
const idleLimit = 12 * 60 * 60 * 1000

/** The most links that wait for their use. The oldest one ends when there are more. */
const mostLinks = 20

/** The sessions of a console. They end with the process. */
export interface Sessions {
  /** A token that opens one session, once. */
  readonly newToken: () => string
  /** Opens a session with a token, and returns its secret. Undefined for a token that is unknown or was used. */
  readonly open: (token: string) => string | undefined
  /** The visitor of a session. Undefined for an unknown or ended one. */
  readonly visitor: (secret: string) => Visitor | undefined
  readonly end: (secret: string) => void
}

/** Sessions that begin with one-time tokens. Only digests are kept, so that comparing takes the same time for all. */
export function sessions(clock: Clock): Sessions {
  const tokens = new Set<string>()
  const open = new Map<string, { used: number }>()
  const newSecret = () => randomBytes(32).toString('base64url')

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
    open(token) {
      if (!tokens.delete(digest(token))) return undefined
      const now = clock.now()
      for (const [key, { used }] of open) if (now - used > idleLimit) open.delete(key)
      const secret = newSecret()
      open.set(digest(secret), { used: now })
      return secret
    },
    visitor(secret) {
      const session = open.get(digest(secret))
      const now = clock.now()
      if (session === undefined || now - session.used > idleLimit) return undefined
      session.used = now
      return { name: 'the operator' }
    },
    end(secret) {
      open.delete(digest(secret))
    },
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
