import type { SourceConfig } from '@signalbox/platform-runtime'
import {
  fieldProblems,
  functionReferenceProblems,
  isObject,
  mapProblems,
  nestedProblems,
  object,
  optional,
  pointerTo,
} from '@signalbox/platform-runtime/config'
import type { LoadBalancersConfig } from './load-balancer-config.ts'
import { healthCheckFields, loadBalancerFields } from './load-balancer-fields.ts'
import { type LoadBalancerSettings, loadBalancerSettings } from './load-balancer-settings.ts'

/** The key `loadBalancers` of a configuration. */
export const loadBalancersPart: SourceConfig<readonly LoadBalancerSettings[]> = {
  name: 'load-balancer',
  fields: { loadBalancers: optional(object) },
  problems: ({ loadBalancers }, functions) =>
    mapProblems(loadBalancers, '/loadBalancers', (part, pointer) => [
      ...fieldProblems(loadBalancerFields, part, pointer),
      ...functionReferenceProblems(part, pointer, functions),
      ...nestedProblems(part, 'healthCheck', healthCheckFields, pointer),
    ]),
  listeners: ({ loadBalancers }) =>
    isObject(loadBalancers)
      ? Object.entries(loadBalancers).flatMap(([name, part]) =>
          isObject(part)
            ? [{ name, pointer: pointerTo('loadBalancers', name), part, authenticates: false }]
            : [],
        )
      : [],
  settings: (config, _functions, _root, location) =>
    Object.entries((config as LoadBalancersConfig).loadBalancers ?? {}).map(([name, each]) =>
      loadBalancerSettings(name, each, location),
    ),
}
