import * as t from 'io-ts'
import type { Dialect } from '../dialect/dialect.ts'
import {
  type Fields,
  hostNames,
  integerFrom,
  matching,
  nonEmptyText,
  numberFrom,
  object,
  optional,
  port,
  required,
} from '../fields/field.ts'
import { listenerLimits } from '../fields/limits.ts'
import type { FunctionConfig, LambdaConfig } from '../invoker/function-config.ts'
import type { Handler } from '../invoker/in-process.ts'
import type { ControlConfig, InvocationLogConfig, RuntimeConfig } from './runtime-config.ts'

export const runtimeFields: Fields<RuntimeConfig> = {
  functions: optional(object),
  control: optional(object),
  access: optional(object),
  region: optional(
    matching<string>('letters, digits and hyphens, 64 at most', value =>
      /^[A-Za-z0-9-]{1,64}$/.test(String(value)),
    ),
  ),
  account: optional(
    matching<string>('a text of twelve digits', value => typeof value === 'string' && /^\d{12}$/.test(value)),
  ),
  dataDir: optional(nonEmptyText),
  storage: optional(object),
  invocationLog: optional(object),
  grace: optional(numberFrom(0, 900, 'seconds')),
  drain: optional(numberFrom(0, 900, 'seconds')),
  watch: optional(t.readonlyArray(nonEmptyText, 'a list of folders')),
}

/**
 * Returns the fields of a function in the configuration.
 * @param dialectNames the names of the dialects that the function can use
 */
export function functionFields(dialectNames: readonly string[]): Fields<FunctionConfig> {
  const dialect = matching<string | Dialect>(
    `${dialectNames.join(', ')}, or a dialect: { event, result }, both functions`,
    value =>
      typeof value === 'string'
        ? dialectNames.includes(value)
        : ['event', 'result'].every(
            key => typeof (value as Record<string, unknown> | null)?.[key] === 'function',
          ),
  )
  return {
    module: optional(nonEmptyText),
    export: optional(nonEmptyText),
    handler: optional(
      matching<Handler>('a function, such as signalbox(…) returns', value => typeof value === 'function'),
    ),
    // `functionProblems` checks these fields without showing values that may be secrets.
    url: optional(t.unknown),
    secret: optional(t.unknown),
    headers: optional(t.unknown),
    lambda: optional(object),
    timeout: optional(numberFrom(0.01, 900, 'seconds')),
    instances: optional(integerFrom(1, 1000)),
    wait: optional(numberFrom(0, 900, 'seconds')),
    memory: optional(integerFrom(16, 65_536, 'MB')),
    env: optional(t.record(t.string, t.string, 'a map of texts')),
    dialect: optional(dialect),
  }
}

export const lambdaFields: Fields<LambdaConfig> = {
  functionName: required(
    matching<string>(
      'the name of a function',
      value => typeof value === 'string' && /^[\w:$-]{1,170}$/.test(value),
    ),
  ),
  region: required(nonEmptyText),
  endpoint: optional(t.unknown),
  qualifier: optional(nonEmptyText),
  accessKeyId: optional(nonEmptyText),
  secretAccessKey: optional(t.unknown),
}

export const controlFields: Fields<ControlConfig> = {
  port: optional(port),
  host: optional(nonEmptyText),
  open: optional(t.boolean),
  names: optional(hostNames),
  limits: optional(listenerLimits),
  tls: optional(object),
  console: optional(t.boolean),
  testing: optional(t.boolean),
  origin: optional(
    matching<string>(
      'an origin such as https://console.example.com',
      value => /^https?:\/\//.test(String(value)) && URL.parse(String(value))?.origin === value,
    ),
  ),
}

export const invocationLogFields: Fields<InvocationLogConfig> = {
  age: optional(numberFrom(0.001, 3650, 'days')),
  size: optional(numberFrom(1, 100_000, 'MB')),
}
