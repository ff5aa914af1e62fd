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
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import type { HealthCheckConfig, LoadBalancerConfig } from './load-balancer-config.ts'

export const loadBalancerFields: Fields<LoadBalancerConfig> = {
  port: required(port),
  host: optional(nonEmptyText),
  open: optional(t.boolean),
  names: optional(hostNames),
  limits: optional(object),
  tls: optional(
    matching<LoadBalancerConfig['tls']>(
      'a certificate and its key, or a list of them',
      value => object.is(value) || (Array.isArray(value) && value.length > 0 && value.every(object.is)),
    ),
  ),
  function: required(t.string),
  multiValueHeaders: optional(t.boolean),
  targetGroupArn: optional(
    matching<string>(
      'the ARN of a target group, such as arn:cloud:balancer:region-1:1:targetgroup/shop/7',
      value => /^arn(:[^:\s]+){4}:targetgroup\/\S+$/.test(String(value)),
    ),
  ),
  healthCheck: optional(object),
}

export const healthCheckFields: Fields<HealthCheckConfig> = {
  path: optional(
    matching<string>('a path that starts with a slash, without a fragment', value =>
      /^\/[\x21\x22\x24-\x7e]*$/.test(String(value)),
    ),
  ),
  interval: optional(numberFrom(0.1, 86_400, 'seconds')),
  healthyThreshold: optional(integerFrom(1, 100)),
  unhealthyThreshold: optional(integerFrom(1, 100)),
}
