import { createHash } from 'node:crypto'
import type { Random } from '../random.ts'

/** The tokens with which functions fetch documents. They last as long as the platform runs. */
export interface FunctionTokens {
  /** Returns the token of a function. */
  readonly of: (functionName: string) => string
  /** Returns the function whose token is in a header `Authorization: Bearer TOKEN`. */
  readonly functionOf: (authorization: string | undefined) => string | undefined
}

export function functionTokens(random: Random): FunctionTokens {
  const byFunction = new Map<string, string>()
  // Tokens are looked up by digest, so that the time of a lookup reveals nothing about them.
  const byDigest = new Map<string, string>()
  return {
    of(functionName) {
      const known = byFunction.get(functionName)
      if (known !== undefined) return known
      const token = Buffer.from(random(30)).toString('base64url')
      byFunction.set(functionName, token)
      byDigest.set(digest(token), functionName)
      return token
    },
    functionOf(authorization = '') {
      const [, token] = /^Bearer +([\w-]{1,128}) *$/i.exec(authorization) ?? []
      return token === undefined ? undefined : byDigest.get(digest(token))
    },
  }
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}
