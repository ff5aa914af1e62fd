import middy from '@middy/core'
import createApi from 'lambda-api'

/** A handler of any family, asked with whatever its contender takes. */
export type Handler = (event: never, context: never) => unknown

/** As much of middy as is used here, typed so that any event and any of its packages fits. */
export interface Stack {
  use(middleware: unknown): Stack
  before(hook: unknown): Stack
  after(hook: unknown): Stack
  handler(handler: unknown): Handler
}

/** A middy stack without the timer for an early time-out, which costs more than all else in an empty handler. */
export function stack(): Stack {
  return middy({ timeoutEarlyInMillis: 0 }) as unknown as Stack
}

interface LambdaApiRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

interface LambdaApiResponse {
  status(code: number): LambdaApiResponse
  header(name: string, value: string): LambdaApiResponse
  json(value: unknown): unknown
}

/** As much of lambda-api as is used here; its own types describe its CommonJS form. */
export interface LambdaApi {
  METHOD(
    method: string,
    path: string,
    handler: (request: LambdaApiRequest, response: LambdaApiResponse) => unknown,
  ): void
  run(event: never, context: never): Promise<unknown>
}

export function lambdaApi(): LambdaApi {
  return (createApi as unknown as (options: object) => LambdaApi)({ logger: false })
}
