import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext, Metadata } from '../../context/engine-context.ts'
import type { User } from '../../store/user-pool-store.ts'
import { normalized } from '../../users/attributes.ts'
import { apply } from '../apply.ts'
import { type CodePurpose, newCode } from '../messages/codes.ts'
import { type Destination, destinationOf } from '../messages/destinations.ts'
import { discardMessage, newFeignedMessage } from '../messages/messages.ts'
import type { Occasion } from '../messages/words.ts'

/** Returns an id that stands for an unknown user name. Codes and counts of attempts are stored under this id. */
export function hiddenKey({ vault }: Pick<EngineContext, 'vault'>, pool: PoolSettings, name: string): string {
  return vault.digest(normalized(name), `hidden user ${pool.id}`)
}

/** Returns a made-up destination of a code for a name without an account. It is always the same for the same name. */
export function feignedDestination(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: PoolSettings,
  name: string,
): Destination {
  if (name.includes('@') || pool.verify[0] === 'email') {
    const bytes = vault.derive(normalized(name), `feigned address ${pool.id}`, 2)
    const letter = (at: number) => String.fromCharCode(97 + (bytes[at]! % 26))
    const to = name.includes('@') ? name : `${letter(0)}@${letter(1)}`
    return { attribute: 'email', medium: 'EMAIL', to }
  }
  const digits = vault.derive(normalized(name), `feigned number ${pool.id}`, 4).map(byte => byte % 10)
  return {
    attribute: 'phone_number',
    medium: 'SMS',
    to: name.startsWith('+') ? name : `+0000000${digits.join('')}`,
  }
}

/**
 * Does the same work as for sending a code, but sends nothing. Used for unknown user names and for accounts that do not
 * get a code.
 * @param user the account whose destination the response shows, as if a code had been sent
 */
export async function feignedSending(
  engine: EngineContext,
  caller: ClientCaller,
  name: string,
  user: User | undefined,
  occasion: { readonly purpose: CodePurpose; readonly occasion: Occasion },
  clientMetadata: Metadata,
): Promise<Destination> {
  const { pool } = caller
  const feignedUser = { id: hiddenKey(engine, pool, name) }
  const destination = (user && addressOf(pool, user)) ?? feignedDestination(engine, pool, name)
  const code = newCode(engine, pool, feignedUser, occasion.purpose, destination.to)
  const message = await newFeignedMessage(
    engine,
    caller,
    feignedUser,
    occasion.occasion,
    destination,
    code,
    clientMetadata,
  )
  await apply(engine, {
    pool: pool.id,
    now: engine.clock.now(),
    puts: [code.credential],
    messages: [message],
  })
  await discardMessage(engine, caller, message)
  return destination
}

function addressOf({ verify }: PoolSettings, { attributes }: User): Destination | undefined {
  for (const kind of [...verify, 'email', 'phone']) {
    const destination = destinationOf(attributes, kind === 'email' ? 'email' : 'phone_number')
    if (destination !== undefined) return destination
  }
  return undefined
}
