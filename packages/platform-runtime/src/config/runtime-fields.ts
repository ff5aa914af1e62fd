import * as t from 'io-ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { Handler } from '../invoker/in-process.ts'
import { type Fields, integerFrom, is, may, numberFrom, object, port, someText } from './field.ts'
import type { ControlConfig, FunctionConfig, JournalConfig, RuntimeConfig } from './runtime-config.ts'

export const runtimeFields: Fields<RuntimeConfig> = {
  functions: may(object),
  control: may(object),
  region: may(
    is<string>('letters, digits and hyphens, 64 at most', value =>
      /^[A-Za-z0-9-]{1,64}$/.test(String(value)),
    ),
  ),
  account: may(
    is<string>('a text of twelve digits', value => typeof value === 'string' && /^\d{12}$/.test(value)),
  ),
  dataDir: may(someText),
  journal: may(object),
  grace: may(numberFrom(0, 900, 'seconds')),
  watch: may(t.readonlyArray(someText, 'a list of folders')),
}

/** @param dialectNames the dialects that a function can name */
export function functionFields(dialectNames: readonly string[]): Fields<FunctionConfig> {
  const dialect = is<string | Dialect>(
    `${dialectNames.join(', ')}, or a dialect: { event, answer }, both functions`,
    value =>
      typeof value === 'string'
        ? dialectNames.includes(value)
        : ['event', 'answer'].every(
            key => typeof (value as Record<string, unknown> | null)?.[key] === 'function',
          ),
  )
  return {
    module: may(someText),
    export: may(someText),
    handler: may(is<Handler>('a function', value => typeof value === 'function')),
    timeout: may(numberFrom(0.01, 900, 'seconds')),
    instances: may(integerFrom(1, 1000)),
    wait: may(numberFrom(0, 900, 'seconds')),
    memory: may(integerFrom(16, 65_536, 'MB')),
    env: may(t.record(t.string, t.string, 'a map of texts')),
    dialect: may(dialect),
  }
}

export const controlFields: Fields<ControlConfig> = {
  port: may(port),
  host: may(someText),
}

export const journalFields: Fields<JournalConfig> = {
  age: may(numberFrom(0.001, 3650, 'days')),
  size: may(numberFrom(1, 100_000, 'MB')),
}
