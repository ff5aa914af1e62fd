import type { Dialect } from '../dialect/dialect.ts'
import type { Handler } from './in-process.ts'
import type { HttpEndpointSettings } from './remote/http-endpoint.ts'
import type { LambdaSettings } from './remote/lambda-endpoint.ts'

/** A function of a configuration with its defaults filled in. Times are in milliseconds, and paths are absolute. */
export interface FunctionSettings {
  readonly name: string
  readonly code:
    | { readonly handler: Handler }
    | { readonly module: string; readonly exportName: string }
    | Pick<HttpEndpointSettings, 'url' | 'secret' | 'headers'>
    | { readonly lambda: LambdaSettings }
  readonly timeout: number
  readonly instances: number
  readonly wait: number
  readonly memory: number
  readonly env: { readonly [name: string]: string }
  readonly dialect: Dialect | undefined
}
