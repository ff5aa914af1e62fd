import { createHash } from 'node:crypto'
import { nearest } from '@signalbox/codec'
import {
  type Clock,
  durableExecution,
  InvalidOptionError,
  type InvocationContext,
  type Middleware,
  named,
  notAnAnswer,
  type Request,
  refuseUnknownOptions,
  SignalboxError,
  type Store,
  showOption,
  systemClock,
} from '@signalbox/core'
import {
  type Key,
  sources,
  sourcesOf,
  type Trigger,
  type TriggerEvent,
  triggerAttempts,
  triggerNames,
  triggerTimeout,
} from '../contract/index.ts'
import { userPoolFamily } from '../family.ts'

/**
 * The triggers whose events or answers contain secrets that must not be stored: passwords, codes and answers to
 * challenges.
 */
const withSecrets = [
  'CreateAuthChallenge',
  'DefineAuthChallenge',
  'UserMigration',
  'VerifyAuthChallengeResponse',
] as const satisfies readonly Trigger[]

/** A trigger or trigger source that `once` supports. */
export type OnceKey = Exclude<Key, `${(typeof withSecrets)[number]}${string}`>

/** Options of `once`. */
export interface OnceOptions {
  /** The store of answers: `keyvStore(keyv)`, your own store, or `memoryStore()` for tests. */
  readonly store: Store
  /** The triggers and trigger sources that run only once for each event. All other triggers run at each call. */
  readonly triggers: readonly OnceKey[]
  /** The milliseconds for which an answer is kept. Default: 15 seconds, within which a platform repeats a call. */
  readonly ttl?: number
  /**
   * The maximum duration of a call, in milliseconds. After that, another call may run the trigger. Default: 5 seconds,
   * the time-out of the platform.
   */
  readonly lease?: number
  /**
   * Returns the key of an event. Calls with the same key are treated as one call. Default: the `requestId` of the
   * contract, which is the same for a retry. On AWS, each call has a different id, so the default is a digest of the
   * event. Two equal events within `ttl` are then treated as one call.
   */
  readonly key?: (event: TriggerEvent, context: InvocationContext) => string
  /** The clock that decides how long a call waits. Default: the system clock. */
  readonly clock?: Clock
}

/** Thrown when the first call for an event is still running, and this call cannot wait any longer. */
export class TriggerInProgressError extends SignalboxError {
  override readonly name = 'TriggerInProgressError'
  readonly code = 'TRIGGER_IN_PROGRESS'

  constructor() {
    super('Another call for this event is still running')
  }
}

/**
 * Returns the middleware that runs triggers only once for each event. A platform repeats a call when a function has
 * crashed or taken too long. The second call then gets the answer of the first call. While the first call is still
 * running, the second call waits for it, and fails with TriggerInProgressError before its own time-out. Failures are
 * not stored, so the next call runs the trigger again.
 *
 * Challenges and migrations are not supported, because their events and answers contain passwords and codes, which must
 * not be stored. When the store cannot be read, the invocation fails. When only the answer cannot be stored, the
 * invocation succeeds.
 *
 * @example
 * signalbox(userPool(routes)).use(
 *   once({ store: keyvStore(keyv), triggers: ['PostConfirmation', 'CustomEmailSender'] }),
 * )
 * @throws InvalidOptionError for an unknown option or trigger, or an invalid value
 */
export function once(options: OnceOptions): Middleware {
  refuseUnknownOptions('once()', options, ['store', 'triggers', 'ttl', 'lease', 'key', 'clock'])
  const {
    store,
    ttl = triggerTimeout * triggerAttempts,
    lease = triggerTimeout,
    key = keyOf,
    clock = systemClock,
  } = options
  if (typeof store?.setIfAbsent !== 'function') {
    throw new InvalidOptionError('once(): store is missing, expected a Store such as keyvStore(keyv)')
  }
  for (const [name, value] of Object.entries({ ttl, lease })) {
    if (!(Number.isFinite(value) && value >= 1))
      throw new InvalidOptionError(
        `once(): ${name} is ${showOption(value)}, expected milliseconds, 1 or more`,
      )
  }
  const chosen = sourcesOfAll(options.triggers)
  const claims = new WeakMap<object, Claim>()

  /**
   * Makes the entry of this call, or returns the answer of another call in the form of its entry. Returns undefined when
   * the other call is still running.
   */
  const claim = async (
    event: TriggerEvent,
    context: InvocationContext,
    execution?: string,
  ): Promise<Claim | undefined> => {
    const own = {
      key: `user-pool:${key(event, context)}`,
      entry: `running ${execution ?? crypto.randomUUID()}`,
    }
    const end = clock.now() + waitingTime(context, lease)
    while (!(await store.setIfAbsent(own.key, own.entry, lease))) {
      const found = await store.get(own.key)
      // A step of an execution whose result was lost runs again, and finds the entry that it has made.
      if (found === own.entry) return own
      if (found?.startsWith(done)) return { ...own, entry: found }
      if (clock.now() >= end) return undefined
      await new Promise<void>(resolve => clock.after(pause, resolve))
    }
    return own
  }
  const take = async (event: TriggerEvent, context: InvocationContext): Promise<TriggerEvent | undefined> => {
    const execution = durableExecution()
    // In a durable function, the entry belongs to the execution, whose later invocations find it.
    // A step that throws would be repeated.
    const own =
      execution === undefined
        ? await claim(event, context)
        : await execution.step('once', async () => (await claim(event, context, execution.arn)) ?? null)
    if (!own) throw new TriggerInProgressError()
    if (own.entry.startsWith(done)) return { ...event, response: JSON.parse(own.entry.slice(done.length)) }
    claims.set(event, { ...own })
    return undefined
  }
  const finish = async (event: object, response: unknown) => {
    const claim = claims.get(event)
    if (claim === undefined) return
    try {
      // The events of senders may lack the response.
      claim.entry = done + JSON.stringify(response ?? null)
      await store.set(claim.key, claim.entry, ttl)
    } catch {
      // The trigger has run and its answer is valid, so the error of the store is ignored.
    }
  }
  const release = async (event: object) => {
    const claim = claims.get(event)
    if (claim === undefined) return
    claims.delete(event)
    try {
      // The entry may have expired, and another call may have made a new entry. It is an answer when what runs after this
      // middleware has failed, such as the serializer.
      if ((await store.get(claim.key)) === claim.entry) await store.delete(claim.key)
    } catch {
      // The entry expires anyway, and the error of the route matters more than the error of the store.
    }
  }

  return notAnAnswer('a middleware', {
    name: 'once',
    before: named('once', ({ event, context }: Request<TriggerEvent>): unknown =>
      userPoolFamily.recognizes(event) && chosen.has(event.triggerSource) ? take(event, context) : undefined,
    ),
    after: named('once', ({ event, response }: Request<TriggerEvent, TriggerEvent>): unknown =>
      finish(event, response?.response),
    ),
    onError: named('once', ({ event }: Request<TriggerEvent>): unknown => release(event)),
  })
}

interface Claim {
  readonly key: string
  entry: string
}

const done = 'done '
/** Milliseconds to wait before checking again whether another call has ended. */
const pause = 100
/** A call stops waiting this many milliseconds before its own time-out, so that it can still report an error. */
const reserve = 250

/**
 * Returns the milliseconds for which a call waits for another call. The waiting ends with the other call's lease or
 * shortly before the waiting call's own time-out.
 */
function waitingTime({ getRemainingTimeInMillis }: InvocationContext, lease: number): number {
  const remaining = getRemainingTimeInMillis?.()
  return typeof remaining === 'number' ? Math.min(lease, remaining - reserve) : lease
}

function keyOf(event: TriggerEvent, { requestId, awsRequestId }: InvocationContext): string {
  // Lambda makes a new id for each call. The context contains it as both `requestId` and `awsRequestId`.
  if (requestId !== undefined && requestId !== awsRequestId) return requestId
  const { triggerSource, userPoolId, userName, callerContext, request } = event
  return createHash('sha256')
    .update(JSON.stringify([triggerSource, userPoolId, userName, callerContext, request]))
    .digest('base64url')
}

/**
 * Returns all sources of the given triggers. Throws for a value that is not a list of triggers, and for triggers with
 * secrets.
 */
function sourcesOfAll(triggers: readonly string[]): ReadonlySet<string> {
  if (!Array.isArray(triggers) || triggers.length === 0) {
    throw new InvalidOptionError("once(): triggers is missing, expected a list such as ['PostConfirmation']")
  }
  return new Set(
    triggers.flatMap((key: string) => {
      const chosen = sourcesOf(key)
      if (chosen.length === 0) {
        const meant =
          process.env.NODE_ENV !== 'production' ? nearest(key, [...triggerNames, ...sources]) : undefined
        const hint = meant === undefined ? '' : `. Did you mean ${meant}?`
        throw new InvalidOptionError(
          `once(): there is no trigger or trigger source ${JSON.stringify(key)}${hint}`,
        )
      }
      if (withSecrets.some(secret => key.startsWith(secret))) {
        throw new InvalidOptionError(
          `once(): ${key} cannot run once, because a store would hold passwords, codes or answers to challenges`,
        )
      }
      return chosen
    }),
  )
}
