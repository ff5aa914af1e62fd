/** The event that a function returns to a user pool. */
export interface CognitoResult {
  version: string
  region: string
  userPoolId: string
  userName: string
  triggerSource: string
  callerContext: { awsSdkVersion: string; clientId: string }
  request: object
  response: object
}

/** The result of a function on AWS. As in the AWS types, its lists and maps are mutable and contain no null. */
type OnAws<T> = T extends { readonly triggerSource: string }
  ? CognitoResult
  : T extends readonly (infer Item)[]
    ? OnAws<Item>[]
    : T extends object
      ? { -readonly [K in keyof T]: OnAws<Exclude<T[K], null>> }
      : T

/** For each family, a key of its events and the key that identifies its results. */
type FamilyKeys =
  | { event: 'triggerSource'; answer: 'triggerSource' }
  | { event: 'Records'; answer: 'batchItemFailures' }
  | { event: 'flowDirection'; answer: 'actions' }
  | { event: 'requestContext'; answer: 'statusCode' }

type ResultKey<Event> = IsFromSes<Event> extends true ? 'disposition' : KeyOfFamily<Event>

/** Whether an event is from a receipt rule of SES, whose records differ from those of a batch. */
type IsFromSes<Event> = unknown extends Event
  ? false
  : [Event] extends [{ readonly Records: readonly { readonly ses: unknown }[] }]
    ? true
    : false

type KeyOfFamily<Event> = FamilyKeys extends infer Row
  ? Row extends { event: keyof Event; answer: infer Answer extends PropertyKey }
    ? Answer
    : never
  : never

/** The possible results of a handler, except those that are invalid for events of the type `Event`. */
export type AwsResult<Result, Event> = [ResultKey<Event>] extends [never]
  ? OnAws<Result>
  : Served<Extract<Result, { readonly [K in ResultKey<Event>]?: unknown }>>

/** The type that the compile error shows when a handler is used for a family of events that it does not serve. */
interface Unserved {
  readonly 'this handler has no plugin for events of this family': never
}

type Served<Result> = [Result] extends [never] ? Unserved : OnAws<Result>
