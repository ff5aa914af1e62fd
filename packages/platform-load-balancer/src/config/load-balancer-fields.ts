import {
  type Fields,
  integerFrom,
  is,
  may,
  need,
  numberFrom,
  object,
  port,
  someText,
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import type { HealthCheckConfig, LoadBalancerConfig } from './load-balancer-config.ts'

export const loadBalancerFields: Fields<LoadBalancerConfig> = {
  port: need(port),
  host: may(someText),
  function: need(t.string),
  multiValueHeaders: may(t.boolean),
  targetGroupArn: may(someText),
  healthCheck: may(object),
}

export const healthCheckFields: Fields<HealthCheckConfig> = {
  path: may(is<string>('a path that starts with a slash', value => /^\/[\x21-\x7e]*$/.test(String(value)))),
  interval: may(numberFrom(0.1, 86_400, 'seconds')),
  healthyThreshold: may(integerFrom(1, 100)),
  unhealthyThreshold: may(integerFrom(1, 100)),
}
