import type { SourceConfig } from '@signalbox/platform-runtime'
import { certificateProblems, insideProblems, isObject, pointerTo } from '@signalbox/platform-runtime/config'
import { type LoadBalancersConfig, loadBalancersFields } from './load-balancer-config.ts'
import { type LoadBalancerSettings, loadBalancerSettings, tlsList } from './load-balancer-settings.ts'
import { balancerProblems } from './rule-problems.ts'

/** The part of the configuration under the key `loadBalancers`. */
export const loadBalancersPart: SourceConfig<readonly LoadBalancerSettings[]> = {
  name: 'load-balancer',
  fields: loadBalancersFields,
  problems: (config, functions) =>
    insideProblems(loadBalancersFields, 'loadBalancers', config, (part, pointer) =>
      balancerProblems(part, pointer, functions),
    ),
  listeners: ({ loadBalancers }) =>
    isObject(loadBalancers)
      ? Object.entries(loadBalancers).flatMap(([name, part]) =>
          isObject(part)
            ? [{ name, pointer: pointerTo('loadBalancers', name), part, clients: 'public' as const }]
            : [],
        )
      : [],
  fileProblems: (config, root) =>
    Object.entries((config as LoadBalancersConfig).loadBalancers ?? {}).flatMap(([name, { tls }]) =>
      tls === undefined
        ? []
        : tlsList(tls).flatMap((files, at) =>
            certificateProblems(
              files,
              `${pointerTo('loadBalancers', name)}/tls${'cert' in tls ? '' : `/${at}`}`,
              root,
            ),
          ),
    ),
  settings: (config, _functions, root, location) =>
    Object.entries((config as LoadBalancersConfig).loadBalancers ?? {}).map(([name, each]) =>
      loadBalancerSettings(name, each, location, root),
    ),
}
