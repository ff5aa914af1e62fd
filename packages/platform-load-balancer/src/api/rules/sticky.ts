import type { Clock } from '@signalbox/core'
import type { Vault } from '@signalbox/platform-runtime/secrets'
import type { Action, Target } from '../../config/load-balancer-settings.ts'
import { cookiesOf, setCookie } from '../../identity/cookies.ts'

/** The cookies that keep a client with its function, as at the service. The second is for requests of other origins. */
const [plainName, corsName] = ['AWSALBTG', 'AWSALBTGCORS']

type Forward = Action & { readonly kind: 'forward' }

/** A request, as stickiness sees it. */
interface StickyRequest {
  readonly rawHeaders: readonly string[]
  readonly isSecure: boolean
}

/** What keeps the clients of a rule with their functions. */
export interface Stickiness {
  /** Returns the function that the client of a request stays with. */
  readonly targetOf: (request: StickyRequest) => Target | undefined
  /** Returns the `set-cookie` values by which a client stays with a function. */
  readonly cookiesFor: (request: StickyRequest, target: Target) => readonly string[]
}

/**
 * Returns what keeps clients with their functions for a time that begins with the first request. A cookie of another rule,
 * of a function that the rule no longer has, and one that has expired count as none.
 * @param place names the load balancer and the functions
 */
export function stickiness(
  { targets, sticky = 0 }: Forward,
  place: string,
  vault: Vault,
  clock: Clock,
): Stickiness {
  const about = `stickiness ${place} ${targets.map(({ functionName }) => functionName).join(' ')}`
  return {
    targetOf({ rawHeaders }) {
      const cookies = cookiesOf(rawHeaders)
      const sealed = cookies.get(plainName) ?? cookies.get(corsName)
      const text = sealed === undefined ? undefined : vault.decrypt(sealed, about)
      if (text === undefined) return undefined
      const { target, ends } = JSON.parse(text) as { readonly target: string; readonly ends: number }
      return clock.wall() < ends ? targets.find(({ functionName }) => functionName === target) : undefined
    },
    cookiesFor({ rawHeaders, isSecure }, { functionName }) {
      const text = JSON.stringify({ target: functionName, ends: clock.wall() + sticky })
      const value = Buffer.from(vault.encrypt(text, about), 'base64').toString('base64url')
      const maxAge = sticky / 1000
      const isFromOther = rawHeaders.some((name, at) => at % 2 === 0 && name.toLowerCase() === 'origin')
      return [
        setCookie(plainName, value, { maxAge, secure: false, httpOnly: false }),
        // Browsers take cookies for requests of other origins by https alone.
        ...(isFromOther && isSecure
          ? [setCookie(corsName, value, { maxAge, secure: true, sameSite: 'None', httpOnly: false })]
          : []),
      ]
    },
  }
}
