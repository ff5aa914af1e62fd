import { isSame } from '@signalbox/platform-runtime/secrets'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext, Metadata } from '../../context/engine-context.ts'
import type { Factor, StoredUser, User } from '../../store/user-pool-store.ts'
import { feignedDestination, hiddenKey } from '../accounts/hidden-users.ts'
import { codeDigest, sixDigits, tooOften } from '../messages/codes.ts'
import { type Destination, deliveryDetails, destinationOf } from '../messages/destinations.ts'
import { deliver, discardMessage, newFeignedMessage, newMessage } from '../messages/messages.ts'
import { type Consumption, consume, withAdded } from '../sign-in/consumption.ts'
import { newSession, type Progress } from '../sign-in/sessions.ts'
import type { SignInResult } from '../sign-in/sign-in-result.ts'

/** The maximum number of sign-in codes that an account can get per hour. */
const sentLimit = { most: 20, window: 3_600_000 }

/** A challenge that asks for a code that was sent. */
export type SentChallenge = 'SMS_MFA' | 'SMS_OTP' | 'EMAIL_OTP'

/** Returns where an account's sign-in codes are sent, or undefined if the account has no address for them. */
export function factorDestination(
  { attributes }: Pick<User, 'attributes'>,
  factor: Exclude<Factor, 'totp'>,
): Destination | undefined {
  return destinationOf(attributes, factor === 'email' ? 'email' : 'phone_number')
}

/**
 * Sends a code, and returns the challenge that asks for it. A user name without an account gets the same response,
 * but nothing is sent.
 * @throws UserPoolError when too many codes were sent, and when the function that writes messages denies the request
 * or fails
 */
export async function askForSentCode(
  engine: EngineContext,
  caller: ClientCaller,
  asked: {
    readonly user: StoredUser | undefined
    /** The user name in the response. */
    readonly name: string
    readonly sentName: string
    readonly challenge: SentChallenge
    readonly isSecond: boolean
    readonly progress: Progress
  },
  consumption: Consumption,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const { store, clock, vault, random } = engine
  const { pool, client } = caller
  const { user, name, sentName, challenge, isSecond, progress } = asked
  const factor = challenge === 'EMAIL_OTP' ? 'email' : 'sms'
  const receiver = { id: user?.id ?? hiddenKey(engine, pool, sentName) }
  const key = `factor sent ${receiver.id}`
  if (!(await store.count(pool.id, key, sentLimit, clock.now()))) throw tooOften()
  const code = sixDigits(random)
  const session = newSession(engine, caller, {
    challenge,
    code: codeDigest(vault, pool, receiver.id, challenge, code),
    isSecond,
    client: client.id,
    user: user?.id,
    sentName,
    progress,
  })
  const destination = (user && factorDestination(user, factor)) ?? feignedFor(engine, pool, factor, sentName)
  const secret = { code, ends: session.credential.expires }
  const isHidden = client.hideUsers && !isSecond
  const what = [engine, caller, receiver, 'Authentication', destination, secret, clientMetadata] as const
  const message = await (user === undefined ? newFeignedMessage(...what) : newMessage(...what, isHidden))
  await consume(engine, caller, { ...withAdded(consumption, session.credential), messages: [message] })
  if (user === undefined) await discardMessage(engine, caller, message)
  else await deliver(engine, caller, user, message, isHidden)
  const { DeliveryMedium, Destination: to } = deliveryDetails(destination)
  return {
    challenge,
    parameters: {
      USER_ID_FOR_SRP: name,
      USERNAME: name,
      CODE_DELIVERY_DELIVERY_MEDIUM: DeliveryMedium,
      CODE_DELIVERY_DESTINATION: to,
    },
    session: session.handle,
  }
}

/**
 * Returns the made-up destination of a code. If the name is an address, it is the destination for codes of its medium,
 * and there is no destination for the other medium.
 */
function feignedFor(
  engine: EngineContext,
  pool: PoolSettings,
  factor: 'email' | 'sms',
  sentName: string,
): Destination {
  const isAddress = factor === 'email' ? sentName.includes('@') : sentName.startsWith('+')
  const name = isAddress ? sentName : hiddenKey(engine, pool, sentName)
  return feignedDestination(engine, { ...pool, verify: [factor === 'email' ? 'email' : 'phone'] }, name)
}

/** Returns whether a code is the one that was sent. */
export function isSentCode(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: PoolSettings,
  user: Pick<User, 'id'> | undefined,
  { challenge, code }: { readonly challenge: SentChallenge; readonly code: string | undefined },
  answer: string,
): boolean {
  return isSame(codeDigest(vault, pool, user?.id ?? '', challenge, answer), code ?? '') && user !== undefined
}
