import type { Location } from '@signalbox/platform-runtime'
import {
  readTlsFiles,
  type TlsConfig,
  type TlsFiles,
  type ValuesOf,
  valuesOf,
} from '@signalbox/platform-runtime/config'
import { healthCheckFields, type LoadBalancerConfig, loadBalancerFields } from './load-balancer-config.ts'

/** The settings of a load balancer, with defaults filled in. Times are in milliseconds. */
export interface LoadBalancerSettings
  extends Omit<ValuesOf<typeof loadBalancerFields>, 'function' | 'multiValueHeaders' | 'tls'> {
  readonly name: string
  /** At least one certificate. Undefined for plain http. */
  readonly tls: readonly TlsFiles[] | undefined
  readonly functionName: string
  readonly multiValue: boolean
  readonly targetGroupArn: string
  readonly healthCheck: HealthCheckSettings | undefined
}

export interface HealthCheckSettings extends ValuesOf<typeof healthCheckFields> {}

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
  const { function: functionName, multiValueHeaders, ...values } = valuesOf(loadBalancerFields, config)
  return {
    ...values,
    name,
    functionName,
    multiValue: multiValueHeaders,
    targetGroupArn: config.targetGroupArn ?? `arn:cloud:balancer:${region}:${account}:targetgroup/${name}/1`,
    tls: config.tls && tlsList(config.tls).map(files => readTlsFiles(files, root)),
    healthCheck: config.healthCheck && valuesOf(healthCheckFields, config.healthCheck),
  }
}
