import type { Clock } from '@signalbox/core'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { ValidateJwtSettings } from '../config/load-balancer-settings.ts'
import { UnreachableError } from './bounded-fetch.ts'
import { keySet } from './key-set.ts'

/** Why a request is refused. */
export interface TokenRefusal {
  readonly status: 401 | 500
  readonly why: string
  /** The value of `www-authenticate`. */
  readonly challenge?: string
}

/** Seconds by which the clocks of an issuer and the load balancer may differ. */
const tolerance = 5

/**
 * Returns a function that checks the token of a request: its signature with RS256, `iss`, `exp`, `nbf` and `iat` where they
 * are, and the claims of the configuration. It returns why the request is refused, or undefined.
 * @param rawHeaders alternating names and values
 */
export function tokenCheck(
  { issuer, keys, claims }: ValidateJwtSettings,
  clock: Clock,
  notice: (text: string) => void,
): (rawHeaders: readonly string[]) => Promise<TokenRefusal | undefined> {
  const keyOf = keySet(keys, clock)
  return async rawHeaders => {
    const token = bearerToken(rawHeaders)
    if (token === undefined) return { status: 401, why: 'A token is missing', challenge: 'Bearer' }
    try {
      const { payload } = await jwtVerify(token, keyOf, {
        ...{ algorithms: ['RS256'], issuer, requiredClaims: ['iss', 'exp'] },
        ...{ clockTolerance: tolerance, currentDate: new Date(clock.wall()) },
      })
      const isEarly = payload.iat !== undefined && payload.iat > clock.wall() / 1000 + tolerance
      return !isEarly && claims.every(claim => hasClaim(payload, claim)) ? undefined : invalid
    } catch (error) {
      if (error instanceof UnreachableError) {
        notice(`A load balancer cannot check tokens: ${error.message}.`)
        return { status: 500, why: 'The keys of tokens cannot be fetched' }
      }
      if (error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError)
        return invalid
      throw error
    }
  }
}

const invalid: TokenRefusal = {
  status: 401,
  why: 'The token is not valid',
  challenge: 'Bearer error="invalid_token"',
}

/** Returns the token of a request with exactly one `authorization` header. */
function bearerToken(rawHeaders: readonly string[]): string | undefined {
  const values = rawHeaders.filter(
    (_, at) => at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === 'authorization',
  )
  return values.length === 1 ? /^Bearer +([\w.~+/=-]+) *$/i.exec(values[0]!)?.[1] : undefined
}

function hasClaim(
  payload: JWTPayload,
  { name, format, values }: ValidateJwtSettings['claims'][number],
): boolean {
  const claim = Object.hasOwn(payload, name) ? payload[name] : undefined
  switch (format ?? 'text') {
    case 'list':
      return Array.isArray(claim) && claim.some(each => values.includes(each as string))
    case 'words':
      return typeof claim === 'string' && claim.split(' ').some(each => values.includes(each))
    default:
      return typeof claim === 'string' && values.includes(claim)
  }
}
