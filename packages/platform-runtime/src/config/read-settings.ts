import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { locatedDialect } from '../dialect/dialect.ts'
import { InvalidConfigError } from '../fields/config-error.ts'
import { type ValuesOf, valuesOf } from '../fields/field.ts'
import type { UncheckedObject } from '../fields/field-problems.ts'
import { readSecret, secretVariables } from '../fields/secret.ts'
import { certificateProblems, readTlsFiles } from '../fields/tls-files.ts'
import { codeFields, runFields, type TimedFunctions } from '../invoker/function-config.ts'
import type { FunctionSettings } from '../invoker/function-settings.ts'
import { needlesslyOpenListeners, unauthenticatedListeners } from '../listener/listener-addresses.ts'
import type { Location } from '../location.ts'
import type { SourceConfig } from '../source/source-config.ts'
import type { Program } from '../source/source-module.ts'
import { accessFileProblems, accessSettings } from './access-settings.ts'
import { configProblems, listenersOf } from './config-problems.ts'
import { controlAddress } from './control-address.ts'
import { timedFunctions } from './function-defaults.ts'
import { functionFileProblems } from './function-problems.ts'
import { controlFields, invocationLogFields, type RuntimeConfig, runtimeFields } from './runtime-config.ts'
import type { Settings } from './settings.ts'
import { selectedStorage, storageProblems } from './storage-part.ts'

/**
 * Reads a configuration.
 * @param root the folder to which relative paths refer
 * @throws InvalidConfigError with all problems at once
 */
export function settingsOf(
  { modules, dialects, engines = {} }: Program,
  config: RuntimeConfig,
  root: string,
  where = 'The configuration',
): Settings {
  const problems = [...configProblems(modules, Object.keys(dialects), config)]
  const sources = modules.map(module => module.config)
  const part = config as unknown as UncheckedObject
  if (problems.length === 0)
    problems.push(
      ...storageProblems(engines, part, root),
      ...functionFileProblems(config, root),
      ...accessFileProblems(config.access, root),
      ...certificateProblems(config.control?.tls, '/control/tls', root),
      ...sources.flatMap(source => source.fileProblems?.(part, root) ?? []),
    )
  if (problems.length > 0) throw new InvalidConfigError(where, problems)
  const { region, account, dataDir, ...values } = valuesOf(runtimeFields, config)
  const location = { region, account }
  const functions = timedFunctions(sources, part) as TimedFunctions
  const bySource = new Map(
    sources.map(source => [source.name, source.settings(part, functions, root, location)] as const),
  )
  const [control] = controlAddress(sources, part)
  const listeners = listenersOf(sources, part)
  return {
    ...values,
    root,
    functions: Object.entries(functions).map(([name, each]) =>
      functionSettings(name, each, root, dialects, location),
    ),
    location,
    of: <S>(source: SourceConfig<S>) => bySource.get(source.name) as S | undefined,
    control: control && {
      ...valuesOf(controlFields, control.part),
      tls: config.control?.tls && readTlsFiles(config.control.tls, root),
    },
    access: accessSettings(config.access, root),
    unauthenticated: unauthenticatedListeners(listeners),
    needlesslyOpen: needlesslyOpenListeners(listeners),
    secretVariables: secretVariables(part),
    dataDir: dataDir === ':memory:' ? undefined : resolve(root, dataDir),
    storage: selectedStorage(engines, part, root),
    invocationLog: valuesOf(invocationLogFields, values.invocationLog),
    watch: values.watch.map(folder => resolve(root, folder)),
  }
}

function functionSettings(
  name: string,
  config: TimedFunctions[string],
  root: string,
  dialects: Program['dialects'],
  location: Location,
): FunctionSettings {
  const { timeout, dialect, ...values } = valuesOf(runFields, config)
  return {
    ...values,
    name,
    code: functionCode(valuesOf(codeFields, config), root),
    timeout: timeout!,
    dialect:
      dialect === undefined
        ? undefined
        : locatedDialect(typeof dialect === 'string' ? dialects[dialect]! : dialect, location),
  }
}

function functionCode(
  {
    module,
    export: exportName,
    command,
    cwd,
    extensions,
    handler,
    url,
    secret,
    headers,
    lambda,
  }: ValuesOf<typeof codeFields>,
  root: string,
): FunctionSettings['code'] {
  if (handler !== undefined) return { handler }
  if (command !== undefined)
    return { command, handlerName: exportName, folder: resolve(root, cwd ?? '.'), extensions }
  if (url !== undefined) {
    const values = Object.entries(headers).map(([name, value]) => [name, readSecret(value, root)])
    return {
      url,
      secret: secret && readSecret(secret, root),
      headers: Object.fromEntries(values) as { readonly [name: string]: string },
    }
  }
  if (lambda !== undefined) {
    const { accessKeyId, secretAccessKey, ...rest } = lambda
    if (accessKeyId === undefined || secretAccessKey === undefined) return { lambda: rest }
    return {
      lambda: { ...rest, credentials: { accessKeyId, secretAccessKey: readSecret(secretAccessKey, root) } },
    }
  }
  return { module: pathToFileURL(resolve(root, module!)).href, exportName }
}
