import { createHash, randomBytes } from 'node:crypto'
import type { ConsoleSession, SessionTable } from '@signalbox/platform-runtime/console'

/** The sessions of a console. */
export interface Sessions {
  /** Creates a token that opens one session. */
  readonly newToken: () => Promise<string>
  /**
   * Opens a session with a token. Returns the secret of the session, or undefined for an unknown or used
   * token.
   */
  readonly openWith: (token: string) => Promise<string | undefined>
  /** Opens a session for an access key, and returns the secret of the session. */
  readonly openFor: (keyId: string) => Promise<string>
  /** Returns the session with this secret, or undefined if it is unknown or has ended. */
  readonly find: (secret: string) => Promise<ConsoleSession | undefined>
  readonly end: (secret: string) => Promise<void>
}

/**
 * Opens sessions that begin with one-time tokens or with keys. The table contains only digests of secrets, and a digest
 * cannot open a session. The time to look up a guess reveals nothing about the secrets.
 */
export function sessions(table: SessionTable): Sessions {
  const begin = async (keyId: string | undefined) => {
    const secret = newSecret()
    await table.begin(digest(secret), { keyId })
    return secret
  }
  return {
    async newToken() {
      const token = newSecret()
      await table.addLink(digest(token))
      return token
    },
    openWith: async token => ((await table.useLink(digest(token))) ? begin(undefined) : undefined),
    openFor: begin,
    find: secret => table.find(digest(secret)),
    end: secret => table.end(digest(secret)),
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
