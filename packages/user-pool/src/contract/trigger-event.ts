import type { Hint } from '@signalbox/codec'
import type { OnWire, Seen } from './fields/field.ts'
import type { ReadAttributes } from './fields/user-attribute.ts'
import type { triggers } from './triggers/triggers.ts'

type Table = typeof triggers

/** The part of a trigger source before the underscore, such as `PreSignUp`. */
export type Trigger = keyof Table

/** Every value of `triggerSource` (docs/contract/user-pool.md). */
export type Source = { [T in Trigger]: `${T}_${keyof Table[T]['sources'] & string}` }[Trigger]

/** A trigger source, or a trigger, which stands for all its sources. */
export type Key = Source | Trigger

/** The sources that a key stands for. */
export type SourcesOf<K extends Key> = K extends Trigger ? Extract<Source, `${K}_${string}`> : K

/** The trigger that a key belongs to. */
export type TriggerOf<K extends Key> = K extends Trigger
  ? K
  : { [T in Trigger]: K extends `${T}_${string}` ? T : never }[Trigger]

// The request fields of a source that differ from the request fields of its trigger.
type Special<S extends Source> = {
  [T in Trigger]: S extends `${T}_${infer Suffix}`
    ? Suffix extends keyof Table[T]['sources']
      ? Table[T]['sources'][Suffix] extends { readonly request: infer R }
        ? R
        : never
      : never
    : never
}[Trigger]

type SpecialSource = { [S in Source]: [Special<S>] extends [never] ? never : S }[Source]

/** The fields that the table defines for the request of a trigger source. */
type RequestFields<S extends Source> = [Special<S>] extends [never]
  ? Table[TriggerOf<S>]['request']
  : Omit<Table[TriggerOf<S>]['request'], keyof Special<S>> & Special<S>

/** The request of a trigger source as handlers see it: normalized, with every map present. */
export type TriggerRequest<S extends Source = Source> = S extends SpecialSource
  ? Seen<RequestFields<S>>
  : S extends Source
    ? Seen<Table[TriggerOf<S>]['request']>
    : never

type ForeignField<T extends Trigger> = Exclude<
  { [U in Trigger]: keyof Table[U]['response'] }[Trigger],
  keyof Table[T]['response']
>

/** The answer to a trigger. A field that belongs only to answers to other triggers is a compile error. */
export type TriggerResponse<K extends Key = Key> =
  TriggerOf<K> extends infer T
    ? T extends Trigger
      ? OnWire<Table[T]['response']> & { readonly [F in ForeignField<T>]?: never }
      : never
    : never

/** The fields of every event (docs/contract/user-pool.md#common-fields). */
export interface CommonFields {
  /** Version of the event format. */
  version: string
  /** Region of the user pool. */
  region: string
  /** Identifies the user pool. */
  userPoolId: string
  /** Name of the current user. */
  userName: string
  /** Who called the pool. */
  callerContext: {
    /** Version of the caller’s SDK. */
    cloudSdkVersion: string
    /** Identifies the application client. */
    clientId: string
  }
  /** Empty object, which the function fills. The events of custom senders may lack it. */
  response: { [field: string]: unknown }
}

type EventOf<T extends Trigger, S extends Source, R> = [S] extends [never]
  ? never
  : Omit<CommonFields, 'callerContext' | 'response'> & {
      /** Names the event that caused the invocation. */
      triggerSource: S
      /** Who called the pool. */
      callerContext: CommonFields['callerContext'] & {
        readonly awsSdkVersion?: Hint<'write cloudSdkVersion'>
      }
      /** The data for the trigger. Its fields depend on the trigger. */
      request: Read<R>
      /** Empty object, which the function fills. The events of custom senders may lack it. */
      response: FilledResponse<T>
    }

/** The response of a trigger that a route fills field by field. A trigger without an answer takes any fields. */
export type FilledResponse<T extends Trigger> = [keyof Table[T]['response']] extends [never]
  ? CommonFields['response']
  : ByHand<OnWire<Table[T]['response']>>

type ByHand<R> = { -readonly [K in keyof R]?: Fillable<R[K]> }

// The items of a list stay as they are, so that a list of the request can be assigned.
type Fillable<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { -readonly [K in keyof T]: Fillable<T[K]> }
    : T

/** The type of a request for handlers. */
type Read<R> = {
  [K in keyof R]: K extends 'userAttributes'
    ? ReadAttributes<R[K]>
    : K extends 'groupConfiguration'
      ? R[K] & { readonly iamRolesToOverride?: Hint<'write accessRolesToOverride'> }
      : R[K]
}

/**
 * The event of one or several trigger sources, as handlers see it: normalized and valid (docs/contract/user-pool.md).
 * Checking `triggerSource` narrows the union if the request of the source has its own fields.
 */
export type TriggerEvent<S extends Source = Source> =
  | (S extends SpecialSource ? EventOf<TriggerOf<S>, S, Seen<RequestFields<S>>> : never)
  | { [T in Trigger]: EventOf<T, OrdinaryOf<T, S>, Seen<Table[T]['request']>> }[Trigger]

type OrdinaryOf<T extends Trigger, S extends Source> = Exclude<Extract<S, `${T}_${string}`>, SpecialSource>

/** The event of a trigger source as the platform sends it: optional fields may be absent or null. */
export type WireEvent<S extends Source = Source> = S extends Source
  ? Omit<CommonFields, 'response'> & {
      /** Names the event that caused the invocation. */
      triggerSource: S
      /** The data for the trigger. Its fields depend on the trigger. */
      request: OnWire<RequestFields<S>>
      /** Empty object, which the function fills. The events of custom senders may lack it. */
      response?: { [field: string]: unknown }
    }
  : never
