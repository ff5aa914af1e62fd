import type { Dialect } from '../dialect/dialect.ts'
import type { ValuesOf } from '../fields/field.ts'
import type { CommandSettings } from './command/command-program.ts'
import type { runFields } from './function-config.ts'
import type { Handler } from './in-process.ts'
import type { HttpEndpointSettings } from './remote/http-endpoint.ts'
import type { LambdaSettings } from './remote/lambda-endpoint.ts'

/** A function of a configuration with its defaults filled in. Times are in milliseconds, and paths are absolute. */
export interface FunctionSettings extends Omit<ValuesOf<typeof runFields>, 'timeout' | 'dialect'> {
  readonly name: string
  readonly code:
    | { readonly handler: Handler }
    | { readonly module: string; readonly exportName: string }
    | Pick<CommandSettings, 'command' | 'handlerName' | 'folder' | 'extensions'>
    | Pick<HttpEndpointSettings, 'url' | 'secret' | 'headers'>
    | { readonly lambda: LambdaSettings }
  readonly timeout: number
  readonly dialect: Dialect | undefined
}
