import { clientOf } from '../agents/client-of.ts'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from '../context/engine-context.ts'
import { confirmSignUp } from '../flows/accounts/sign-up.ts'
import type { WebAnswer, WebRequest } from '../oidc/web.ts'
import { UserPoolError } from '../user-pool-error.ts'
import { html } from './html.ts'
import { pageAnswer } from './page.ts'

/**
 * Confirms an account when its user opens the link in an e-mail, and shows the result. HEAD requests confirm nothing.
 */
export async function confirmLink(
  engine: EngineContext,
  pool: PoolSettings,
  { query, isHead, sdk, address }: WebRequest,
): Promise<WebAnswer> {
  const client = await clientOf(engine, pool, query.get('client_id') ?? undefined, address)
  const title = 'Confirmation'
  const body = html``
  if (client === undefined || isHead)
    return pageAnswer({ look: pool.pages, title, body, wrong: 'The link is not complete.' })
  const asked = {
    username: query.get('user_name') ?? '',
    code: query.get('confirmation_code') ?? '',
    forceAlias: false,
    clientMetadata: {},
  }
  try {
    await confirmSignUp(engine, { pool, client, sdk }, asked)
    return pageAnswer({ look: pool.pages, title, body, notice: 'Your registration has been confirmed.' })
  } catch (error) {
    if (!(error instanceof UserPoolError)) throw error
    return pageAnswer({ look: pool.pages, title, body, wrong: error.message })
  }
}
