import type { SourceConfig } from '@signalbox/platform-runtime'
import {
  below,
  functionReference,
  innerProblems,
  isPart,
  may,
  namedParts,
  object,
  partProblems,
} from '@signalbox/platform-runtime/config'
import type { LoadBalancersConfig } from './load-balancer-config.ts'
import { healthCheckFields, loadBalancerFields } from './load-balancer-fields.ts'
import { type LoadBalancerSettings, loadBalancerSettings } from './load-balancer-settings.ts'

/** The key `loadBalancers` of a configuration. */
export const loadBalancersPart: SourceConfig<readonly LoadBalancerSettings[]> = {
  name: 'load-balancer',
  fields: { loadBalancers: may(object) },
  problems: ({ loadBalancers }, functions) =>
    namedParts(loadBalancers, '/loadBalancers', (part, pointer) => [
      ...partProblems(loadBalancerFields, part, pointer),
      ...functionReference(part, pointer, functions),
      ...innerProblems(part, 'healthCheck', healthCheckFields, pointer),
    ]),
  listeners: ({ loadBalancers }) =>
    isPart(loadBalancers)
      ? Object.entries(loadBalancers).flatMap(([name, part]) =>
          isPart(part) ? [{ name, pointer: below('/loadBalancers', name), part }] : [],
        )
      : [],
  settings: (config, _functions, _root, location) =>
    Object.entries((config as LoadBalancersConfig).loadBalancers ?? {}).map(([name, each]) =>
      loadBalancerSettings(name, each, location),
    ),
}
