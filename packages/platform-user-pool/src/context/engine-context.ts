import type { Clock } from '@signalbox/core'
import type { OutboundMailer, Random } from '@signalbox/platform-runtime'
import type { Vault } from '@signalbox/platform-runtime/secrets'
import type { Source, TriggerResponse, WireEvent } from '@signalbox/user-pool/contract'
import type { ClientSettings, PoolSettings } from '../config/user-pool-settings.ts'
import type { UserPoolStore } from '../store/user-pool-store.ts'
import type { ClientDocuments } from './client-documents.ts'
import type { ProviderClients } from './provider-clients.ts'
import type { CountSignIn } from './sign-in-counts.ts'
import type { SigningKeys } from './signing-keys.ts'

/** The parts of the engine that flows use. */
export interface EngineContext {
  readonly store: UserPoolStore
  readonly vault: Vault
  readonly keys: SigningKeys
  /** The clock of codes, sessions and tokens. */
  readonly clock: Clock
  /** The clock that authenticators have, too. */
  readonly machineClock: Clock
  readonly random: Random
  readonly callTrigger: CallTrigger
  /** Returns the issuer of a pool's tokens. */
  readonly issuer: (pool: PoolSettings) => string
  readonly notice: (text: string) => void
  /** Sends e-mail. Undefined if e-mail is only stored, like text messages. */
  readonly mailer: OutboundMailer | undefined
  /** The clients of identity providers. */
  readonly providers: ProviderClients
  /** The documents of clients whose ids are URLs. */
  readonly documents: ClientDocuments
  readonly countSignIn: CountSignIn
  /** The sign-in sessions with an answer that is being checked. */
  readonly answering: Set<string>
  /** Runs work in the background. The engine waits for this work before it stops. */
  readonly background: (work: Promise<void>) => void
  /** Runs work after some milliseconds, unless the engine stops first. */
  readonly later: (ms: number, work: () => Promise<void>) => void
}

/** The pool, the client and the SDK of a caller. */
export interface FlowCaller {
  readonly pool: PoolSettings
  /** The client that the caller uses. Undefined for an administrator. */
  readonly client: ClientSettings | undefined
  /** The name and version of the caller's SDK, for trigger events. */
  readonly sdk: string
  /** The network address of the caller. Undefined where only administrators call. */
  readonly address?: string | undefined
}

/** A caller that uses a client. */
export interface ClientCaller extends FlowCaller {
  /** Whether the user signs in on a hosted page. The result is then a browser session instead of tokens. */
  readonly isHosted?: boolean
  readonly client: ClientSettings
}

/** An event for a trigger, without the fields that all events have. */
interface TriggerCall<S extends Source> {
  readonly userName: string
  readonly request: WireEvent<S>['request']
}

/**
 * Calls the function of a trigger source, and returns its response. Resolves to undefined if the source has no
 * function.
 * @throws UserPoolError when the function denies the request, fails or breaks its contract
 */
export type CallTrigger = <S extends Source>(
  caller: FlowCaller,
  source: S,
  call: TriggerCall<S>,
) => Promise<TriggerResponse<S> | undefined>

/** Client metadata that is passed on to triggers. */
export type Metadata = { readonly [name: string]: string }
