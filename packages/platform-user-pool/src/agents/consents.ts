import { isOnDevice } from '../config/redirect-address.ts'
import type { ClientCaller, EngineContext } from '../context/engine-context.ts'
import type { Credential } from '../store/user-pool-store.ts'

/** How many milliseconds a consent is remembered. */
export const rememberedConsent = 400 * 24 * 3_600_000
/** How many milliseconds a consent that is not remembered waits for the code that it is for. */
const once = 60_000

/** What a user consents to: that a client gets a code for these scopes at this address. */
export interface Consented {
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly resource: string | undefined
}

type Context = Pick<EngineContext, 'store' | 'vault' | 'clock'>

/** A user who is signed in, and the browser session. */
interface Session {
  readonly id: string
  readonly user: { readonly id: string }
}

/**
 * Returns whether a consent to this address is remembered. Any program on a computer can receive what goes to its own
 * addresses or app schemes, so that such a client is not known by its id, and asks each time (RFC 8252, 8.6).
 */
export function isRemembered({ redirectUri }: Pick<Consented, 'redirectUri'>): boolean {
  return !isOnDevice(redirectUri)
}

/** Returns the credential that a code for a client needs, whose id contains everything that the user consents to. */
function consentOf(
  { vault }: Pick<EngineContext, 'vault'>,
  { pool, client }: ClientCaller,
  asked: Consented,
  { id: session, user }: Session,
): Pick<Credential, 'kind' | 'id'> {
  const { redirectUri, scopes, resource = '' } = asked
  const text = JSON.stringify([
    ...[user.id, client.id, redirectUri, resource, [...scopes].sort()],
    isRemembered(asked) ? '' : session,
  ])
  return { kind: 'consent', id: vault.digest(text, `consent ${pool.id}`) }
}

/** Returns whether a user has consented before. */
export async function hasConsented(
  engine: Context,
  caller: ClientCaller,
  asked: Consented,
  session: Session,
): Promise<boolean> {
  const { kind, id } = consentOf(engine, caller, asked, session)
  return (await engine.store.credential(caller.pool.id, kind, id, engine.clock.now())) !== undefined
}

/** Stores the consent of a user. */
export async function consent(
  engine: Context,
  caller: ClientCaller,
  asked: Consented,
  session: Session,
): Promise<void> {
  const now = engine.clock.now()
  const expires = now + (isRemembered(asked) ? rememberedConsent : once)
  const credential = {
    ...consentOf(engine, caller, asked, session),
    user: session.user.id,
    expires,
    value: '',
  }
  await engine.store.change({ pool: caller.pool.id, now, puts: [credential] })
}

/**
 * Returns the condition of the change that creates a code. For a client that nobody has configured, the change is refused
 * without a consent. One that is not remembered is used up.
 */
export function consentNeeded(
  engine: Pick<EngineContext, 'vault'>,
  caller: ClientCaller,
  asked: Consented,
  session: Session,
): {
  readonly uses?: readonly Pick<Credential, 'kind' | 'id'>[]
  readonly needs?: readonly Pick<Credential, 'kind' | 'id'>[]
} {
  if (caller.client.agent === undefined) return {}
  const needed = [consentOf(engine, caller, asked, session)]
  return isRemembered(asked) ? { needs: needed } : { uses: needed }
}
