import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Problem } from '@signalbox/codec'
import { type Dialect, locatedDialect } from '../dialect/dialect.ts'
import { dialects } from '../dialect/dialects.ts'
import type { Handler } from '../invoker/in-process.ts'
import { defaultLocation, type Location } from '../location.ts'
import { certificateProblems } from './certificate-problems.ts'
import type { Config, ControlConfig, FunctionConfig, LoadBalancerConfig } from './config.ts'
import { InvalidConfigError } from './config-error.ts'
import { configProblems } from './config-problems.ts'
import { defaultInstances, withDefaultTimeouts } from './function-defaults.ts'
import { type MailSettings, mailSettings } from './mail-settings.ts'
import { type QueueListenerSettings, type QueueSettings, queueSettings } from './queue-settings.ts'
import { defaultHost, defaultPorts } from './shared-addresses.ts'

/** A configuration with nothing left open: defaults filled in, times in milliseconds, paths absolute. */
export interface Settings {
  /** The folder that relative paths started at. */
  readonly root: string
  readonly functions: readonly FunctionSettings[]
  readonly loadBalancers: readonly LoadBalancerSettings[]
  readonly queues: readonly QueueSettings[]
  /** Undefined when there is nothing to connect to. */
  readonly queueListener: QueueListenerSettings | undefined
  readonly location: Location
  readonly mail: MailSettings | undefined
  /** Where functions fetch mails; undefined when there are none to fetch. */
  readonly control: Required<ControlConfig> | undefined
  /** Undefined when nothing is to be kept. */
  readonly dataDir: string | undefined
  readonly journal: { readonly age: number; readonly size: number }
  readonly grace: number
  readonly watch: readonly string[]
}

export interface FunctionSettings {
  readonly name: string
  readonly code: { readonly handler: Handler } | { readonly module: string; readonly exportName: string }
  readonly timeout: number
  readonly instances: number
  readonly wait: number
  readonly memory: number
  readonly env: { readonly [name: string]: string }
  readonly dialect: Dialect | undefined
}

export interface LoadBalancerSettings {
  readonly name: string
  readonly port: number
  readonly host: string
  readonly functionName: string
  readonly multiValue: boolean
  readonly targetGroupArn: string
  readonly healthCheck: HealthCheckSettings | undefined
}

export interface HealthCheckSettings {
  readonly path: string
  readonly interval: number
  readonly healthyThreshold: number
  readonly unhealthyThreshold: number
}

/**
 * Reads a configuration.
 * @param root the folder that relative paths start at
 * @throws InvalidConfigError with all problems at once
 */
export function settingsOf(config: Config, root: string, where = 'The configuration'): Settings {
  const problems = [...configProblems(config)]
  if (problems.length === 0)
    problems.push(...missingModules(config, root), ...certificateProblems(config.mail ?? {}, root))
  if (problems.length > 0) throw new InvalidConfigError(where, problems)
  const {
    loadBalancers = {},
    queues = {},
    queueListener,
    mail,
    control,
    dataDir = '.signalbox',
    journal = {},
    grace = 30,
    watch = [],
    region = defaultLocation.region,
    account = defaultLocation.account,
  } = config
  const location = { region, account }
  const functions = withDefaultTimeouts(config.functions ?? {}, mail)
  return {
    root,
    functions: Object.entries(functions).map(([name, each]) => functionSettings(name, each, root, location)),
    loadBalancers: Object.entries(loadBalancers).map(([name, each]) =>
      loadBalancerSettings(name, each, location),
    ),
    queues: Object.entries(queues).map(([name, each]) => queueSettings(name, each, functions)),
    queueListener:
      queueListener === undefined && Object.values(queues).every(({ engine }) => engine !== undefined)
        ? undefined
        : {
            port: queueListener?.port ?? defaultPorts.queueListener,
            host: queueListener?.host ?? defaultHost,
          },
    location,
    mail: mail && mailSettings(mail, functions, root),
    control:
      mail === undefined && control === undefined
        ? undefined
        : { port: defaultPorts.control, host: defaultHost, ...control },
    dataDir: dataDir === ':memory:' ? undefined : resolve(root, dataDir),
    journal: { age: (journal.age ?? 7) * 24 * 60 * 60 * 1000, size: (journal.size ?? 64) * 1024 * 1024 },
    grace: grace * 1000,
    watch: watch.map(folder => resolve(root, folder)),
  }
}

function functionSettings(
  name: string,
  config: FunctionConfig & { readonly timeout: number },
  root: string,
  location: Location,
): FunctionSettings {
  const {
    module,
    handler,
    timeout,
    instances = defaultInstances,
    wait = 10,
    memory = 256,
    env = {},
    dialect,
  } = config
  return {
    name,
    code:
      handler === undefined
        ? { module: pathToFileURL(resolve(root, module!)).href, exportName: config.export ?? 'handler' }
        : { handler },
    timeout: timeout * 1000,
    instances,
    wait: wait * 1000,
    memory,
    env,
    dialect: dialect && locatedDialect(typeof dialect === 'string' ? dialects[dialect] : dialect, location),
  }
}

function loadBalancerSettings(
  name: string,
  config: LoadBalancerConfig,
  { region, account }: Location,
): LoadBalancerSettings {
  const { port, host = defaultHost, multiValueHeaders = false, healthCheck } = config
  return {
    name,
    port,
    host,
    functionName: config.function,
    multiValue: multiValueHeaders,
    targetGroupArn: config.targetGroupArn ?? `arn:cloud:balancer:${region}:${account}:targetgroup/${name}/1`,
    healthCheck: healthCheck && {
      path: healthCheck.path ?? '/',
      interval: (healthCheck.interval ?? 35) * 1000,
      healthyThreshold: healthCheck.healthyThreshold ?? 5,
      unhealthyThreshold: healthCheck.unhealthyThreshold ?? 2,
    },
  }
}

function missingModules({ functions = {} }: Config, root: string): Problem[] {
  return Object.entries(functions).flatMap(([name, { module }]) => {
    if (module === undefined || statSync(resolve(root, module), { throwIfNoEntry: false })?.isFile())
      return []
    return [
      { pointer: `/functions/${name}/module`, expected: 'a file', actual: `${module}, where there is none` },
    ]
  })
}
