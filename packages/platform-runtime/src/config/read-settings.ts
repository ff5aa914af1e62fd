import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { locatedDialect } from '../dialect/dialect.ts'
import { InvalidConfigError } from '../fields/config-error.ts'
import type { UncheckedObject } from '../fields/field-problems.ts'
import { readSecret, secretVariables } from '../fields/secret.ts'
import { certificateProblems, readTlsFiles } from '../fields/tls-files.ts'
import type { FunctionConfig, TimedFunctions } from '../invoker/function-config.ts'
import type { FunctionSettings } from '../invoker/function-settings.ts'
import { defaultHost, unauthenticatedListeners } from '../listener/listener-addresses.ts'
import { defaultLocation, type Location } from '../location.ts'
import type { SourceConfig } from '../source/source-config.ts'
import type { Program } from '../source/source-module.ts'
import { accessFileProblems, accessSettings } from './access-settings.ts'
import { configProblems, listenersOf } from './config-problems.ts'
import { controlAddress } from './control-address.ts'
import { defaultInstances, timedFunctions } from './function-defaults.ts'
import { functionFileProblems } from './function-problems.ts'
import type { RuntimeConfig } from './runtime-config.ts'
import type { ControlSettings, Settings } from './settings.ts'
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
  const { dataDir = '.signalbox', invocationLog = {}, grace = 30, drain = 0, watch = [] } = config
  const { region = defaultLocation.region, account = defaultLocation.account } = config
  const location = { region, account }
  const functions = timedFunctions(sources, part) as TimedFunctions
  const bySource = new Map(
    sources.map(source => [source.name, source.settings(part, functions, root, location)] as const),
  )
  const [control] = controlAddress(sources, part)
  return {
    root,
    functions: Object.entries(functions).map(([name, each]) =>
      functionSettings(name, each, root, dialects, location),
    ),
    location,
    of: <S>(source: SourceConfig<S>) => bySource.get(source.name) as S | undefined,
    control:
      control &&
      ({
        ...{ host: defaultHost, open: false, names: [], console: false, testing: false, ...control.part },
        tls: config.control?.tls && readTlsFiles(config.control.tls, root),
      } as unknown as ControlSettings),
    access: accessSettings(config.access, root),
    unauthenticated: unauthenticatedListeners(listenersOf(sources, part)),
    secretVariables: secretVariables(part),
    dataDir: dataDir === ':memory:' ? undefined : resolve(root, dataDir),
    storage: selectedStorage(engines, part, root),
    invocationLog: {
      age: (invocationLog.age ?? 7) * 24 * 60 * 60 * 1000,
      size: (invocationLog.size ?? 64) * 1024 * 1024,
    },
    grace: grace * 1000,
    drain: drain * 1000,
    watch: watch.map(folder => resolve(root, folder)),
  }
}

function functionSettings(
  name: string,
  config: TimedFunctions[string],
  root: string,
  dialects: Program['dialects'],
  location: Location,
): FunctionSettings {
  const { timeout, instances = defaultInstances, wait = 10, memory = 256, env = {}, dialect } = config
  return {
    name,
    code: functionCode(config, root),
    timeout: timeout * 1000,
    instances,
    wait: wait * 1000,
    memory,
    env,
    dialect:
      dialect === undefined
        ? undefined
        : locatedDialect(typeof dialect === 'string' ? dialects[dialect]! : dialect, location),
  }
}

function functionCode(config: FunctionConfig, root: string): FunctionSettings['code'] {
  const { module, handler, url, secret, headers = {}, lambda } = config
  if (handler !== undefined) return { handler }
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
  return { module: pathToFileURL(resolve(root, module!)).href, exportName: config.export ?? 'handler' }
}
