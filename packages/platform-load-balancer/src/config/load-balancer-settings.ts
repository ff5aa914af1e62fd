import type { Location } from '@signalbox/platform-runtime'
import { defaultHost } from '@signalbox/platform-runtime/config'
import type { LoadBalancerConfig } from './load-balancer-config.ts'

/** A load balancer with defaults filled in. Times are in milliseconds. */
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

/** @param config a valid configuration */
export function loadBalancerSettings(
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
