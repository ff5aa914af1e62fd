import type { Location } from '@signalbox/platform-runtime'
import {
  defaultHost,
  type ListenerLimitsConfig,
  readTlsFiles,
  type TlsConfig,
  type TlsFiles,
} from '@signalbox/platform-runtime/config'
import type { LoadBalancerConfig } from './load-balancer-config.ts'

/** The settings of a load balancer, with defaults filled in. Times are in milliseconds. */
export interface LoadBalancerSettings {
  readonly name: string
  readonly port: number
  readonly host: string
  /** At least one certificate. Undefined for plain http. */
  readonly tls: readonly TlsFiles[] | undefined
  /** The host names that requests may be sent to. If undefined, any name is allowed. */
  readonly names: readonly string[] | undefined
  readonly limits?: ListenerLimitsConfig | undefined
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

/** Returns the `tls` setting as a list, even if it names only one certificate. */
export function tlsList(tls: TlsConfig | readonly TlsConfig[]): readonly TlsConfig[] {
  return 'cert' in tls ? [tls] : tls
}

/**
 * Fills in the defaults of a load balancer.
 * @param config a valid configuration
 */
export function loadBalancerSettings(
  name: string,
  config: LoadBalancerConfig,
  { region, account }: Location,
  root: string,
): LoadBalancerSettings {
  const { port, host = defaultHost, multiValueHeaders = false, healthCheck } = config
  return {
    name,
    port,
    host,
    tls: config.tls && tlsList(config.tls).map(files => readTlsFiles(files, root)),
    names: config.names,
    limits: config.limits,
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
