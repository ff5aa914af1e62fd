import type { OpenContext } from '@signalbox/platform-runtime'
import type { Vault } from '@signalbox/platform-runtime/secrets'
import type { BalancerVault } from '../../balancer-key.ts'
import type { Action, LoadBalancerSettings } from '../../config/load-balancer-settings.ts'
import { seldom } from '../../identity/seldom.ts'
import type { Checked, SignIn } from '../../identity/sign-in.ts'
import { type PlainResponse, plainResponse } from '../response/plain-response.ts'
import type { RoutedRequest } from './location-of.ts'

/** A request that goes on: further header lines for its event, and `set-cookie` values for its response. */
export interface Passed {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly cookies: readonly string[]
}

/** Checks who sends a request. Resolves to a response for a request that does not go on. */
export type Check = (request: RoutedRequest) => Promise<Passed | { readonly response: PlainResponse }>

/** The checks of a load balancer's actions. */
export interface ActionChecks {
  /** Returns the check that an action begins with, or undefined. */
  readonly checkOf: (action: Action) => Check | undefined
  /** Answers browsers that come back from a provider. Undefined for a load balancer at which nobody signs in. */
  readonly completing: { readonly path: string; readonly check: Check } | undefined
  /** Encrypts which function a client stays with. Undefined for a load balancer without secrets. */
  readonly vault: Vault | undefined
}

/** The checks of a load balancer that lets all requests go on. */
export const noChecks: ActionChecks = { checkOf: () => undefined, completing: undefined, vault: undefined }

/**
 * Loads what checks requests: the code is in memory only where a configuration uses it.
 * @param vault encrypts sessions. Undefined for a load balancer without secrets.
 */
export async function actionChecks(
  settings: LoadBalancerSettings,
  context: OpenContext,
  vault: BalancerVault | undefined,
): Promise<ActionChecks> {
  const actions = [settings.action, ...settings.rules.map(({ action }) => action)]
  const { clock, machineClock, random, services } = context
  const notice = seldom(context.notice, machineClock)
  const signsIn = actions.some(({ authenticate }) => authenticate !== undefined)
  const signIn = signsIn && vault !== undefined ? await openSignIn(vault) : undefined
  const checks = new Map<Action, Check>()
  for (const action of actions) {
    const { authenticate, validateJwt } = action
    if (authenticate !== undefined) checks.set(action, answering(signIn!.service.checkOf(authenticate)))
    if (validateJwt !== undefined) {
      const { tokenCheck } = await import('../../identity/valid-token.ts')
      const check = tokenCheck(validateJwt, clock, notice)
      checks.set(action, async ({ rawHeaders }) => {
        const refusal = await check(rawHeaders)
        return refusal === undefined ? { headers: [], cookies: [] } : { response: tokenRefusal(refusal) }
      })
    }
  }
  return {
    checkOf: action => checks.get(action),
    completing: signIn && { path: signIn.path, check: answering(signIn.service.complete) },
    vault,
  }

  async function openSignIn(
    secrets: BalancerVault,
  ): Promise<{ readonly path: string; readonly service: SignIn }> {
    const { callbackPath, signIn: open } = await import('../../identity/sign-in.ts')
    const { identityKey } = await import('../../identity/signed-identity.ts')
    const parts = { vault: secrets, key: identityKey(secrets), clock, machineClock, random, services, notice }
    return { path: callbackPath, service: open(settings, parts) }
  }
}

function answering(check: (request: RoutedRequest) => Promise<Checked>): Check {
  return async request => {
    const checked = await check(request)
    return checked.kind === 'pass' ? checked : { response: responseTo(checked) }
  }
}

/** Answers with a redirect or a refusal must not be kept: the next request can have a session. */
const notKept = ['cache-control', 'no-store'] as const

function responseTo(checked: Exclude<Checked, { readonly kind: 'pass' }>): PlainResponse {
  if (checked.kind === 'refuse') {
    const allow = checked.status === 405 ? [['allow', 'GET'] as const] : []
    return plainResponse(checked.status, checked.why, [notKept, ...allow])
  }
  const cookies = checked.cookies.map(cookie => ['set-cookie', cookie] as const)
  return plainResponse(302, 'Sign in', [notKept, ['location', checked.location], ...cookies])
}

function tokenRefusal({
  status,
  why,
  challenge,
}: {
  status: number
  why: string
  challenge?: string
}): PlainResponse {
  return plainResponse(status, why, challenge === undefined ? [] : [['www-authenticate', challenge]])
}
