import type { SourceConfig } from '@signalbox/platform-runtime'
import {
  childPointer,
  fieldProblems,
  functionReferenceProblems,
  isUncheckedObject,
  mapProblems,
  nestedProblems,
  object,
  optional,
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
    isUncheckedObject(loadBalancers)
      ? Object.entries(loadBalancers).flatMap(([name, part]) =>
          isUncheckedObject(part) ? [{ name, pointer: childPointer('/loadBalancers', name), part }] : [],
        )
      : [],
  settings: (config, _functions, _root, location) =>
    Object.entries((config as LoadBalancersConfig).loadBalancers ?? {}).map(([name, each]) =>
      loadBalancerSettings(name, each, location),
    ),
}
