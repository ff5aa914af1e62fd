/** The event that a user pool gets back. */
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

/** What a function answers on AWS: lists and maps that may be changed, and nothing null, as AWS's types have it. */
type OnAws<T> = T extends { readonly triggerSource: string }
  ? CognitoResult
  : T extends readonly (infer Item)[]
    ? OnAws<Item>[]
    : T extends object
      ? { -readonly [K in keyof T]: OnAws<Exclude<T[K], null>> }
      : T

/** A key of each family's events and the key of its answers by which they are told. */
type FamilyKeys =
  | { event: 'triggerSource'; answer: 'triggerSource' }
  | { event: 'Records'; answer: 'batchItemFailures' }
  | { event: 'flowDirection'; answer: 'actions' }
  | { event: 'requestContext'; answer: 'statusCode' }

type ResultKey<Event> = FamilyKeys extends infer Row
  ? Row extends { event: keyof Event; answer: infer Answer extends PropertyKey }
    ? Answer
    : never
  : never

/** Of what a handler of one or several families may answer, that which it answers to such an event. */
export type AwsResult<Result, Event> = [ResultKey<Event>] extends [never]
  ? OnAws<Result>
  : Served<Extract<Result, { readonly [K in ResultKey<Event>]?: unknown }>>

/** Stands in compile errors: a handler that is used for events of a family that it does not serve. */
interface Unserved {
  readonly 'this handler has no plugin for events of this family': never
}

type Served<Result> = [Result] extends [never] ? Unserved : OnAws<Result>
