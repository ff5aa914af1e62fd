import createApi from 'lambda-api'

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

/** The part of lambda-api that is used here. The types of the package describe its CommonJS form. */
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
