import type { Clock } from '@signalbox/core'
import type { OutboundMailer, Random } from '@signalbox/platform-runtime'
import type { Source, TriggerResponse, WireEvent } from '@signalbox/user-pool/contract'
import type { ClientSettings, PoolSettings } from '../config/user-pool-settings.ts'
import type { Vault } from '../secrets/vault.ts'
import type { UserPoolStore } from '../store/user-pool-store.ts'
import type { SigningKeys } from '../tokens/signing-keys.ts'

/** What flows work with. */
export interface EngineContext {
  readonly store: UserPoolStore
  readonly vault: Vault
  readonly keys: SigningKeys
  readonly clock: Clock
  readonly random: Random
  readonly callTrigger: CallTrigger
  /** What tokens of a pool name as their issuer. */
  readonly issuer: (pool: PoolSettings) => string
  readonly notice: (text: string) => void
  /** Sends e-mail; undefined when e-mail is kept with the texts. */
  readonly mailer: OutboundMailer | undefined
  /** Goes on by itself, and is waited for when the engine stops. */
  readonly background: (work: Promise<void>) => void
  /** Does something after some milliseconds, unless the engine stops before. */
  readonly later: (ms: number, work: () => Promise<void>) => void
}

/** For whom a flow runs. */
export interface FlowCaller {
  readonly pool: PoolSettings
  /** Undefined for an administrator. */
  readonly client: ClientSettings | undefined
  /** The name and version of the caller's SDK, as triggers see it. */
  readonly sdk: string
}

/** The caller of a client. */
export interface ClientCaller extends FlowCaller {
  readonly client: ClientSettings
}

/** An event for a trigger, without what all events have. */
interface TriggerCall<S extends Source> {
  readonly userName: string
  readonly request: WireEvent<S>['request']
}

/**
 * Calls the function of a trigger source, and answers its response; undefined when there is no function for it.
 * @throws UserPoolError for a function that denies, fails or answers what its contract forbids
 */
export type CallTrigger = <S extends Source>(
  caller: FlowCaller,
  source: S,
  call: TriggerCall<S>,
) => Promise<TriggerResponse<S> | undefined>

/** What clients pass on to triggers. */
export type Metadata = { readonly [name: string]: string }
