import type { SourceConfig } from '@signalbox/platform-runtime'
import {
  certificateProblems,
  insideProblems,
  isObject,
  pointerTo,
  type SecretConfig,
  secretProblems,
  type UncheckedObject,
} from '@signalbox/platform-runtime/config'
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
  fileProblems: (config, root) => [
    ...Object.entries((config as LoadBalancersConfig).loadBalancers ?? {}).flatMap(([name, { tls }]) =>
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
    ...signIns(config).flatMap(({ pointer, authenticate: { clientSecret } }) =>
      clientSecret === undefined
        ? []
        : secretProblems(clientSecret as SecretConfig, `${pointer}/clientSecret`, root),
    ),
  ],
  usesClients: config =>
    signIns(config).flatMap(({ pointer, authenticate: { pool, client } }) =>
      typeof pool === 'string' && typeof client === 'string' ? [{ pointer, pool, client }] : [],
    ),
  needsControl: config => signIns(config).length > 0,
  settings: (config, _functions, root, location) =>
    Object.entries((config as LoadBalancersConfig).loadBalancers ?? {}).map(([name, each]) =>
      loadBalancerSettings(name, each, location, root),
    ),
}

/** Returns the `authenticate` objects of a configuration, which may be invalid, with their places. */
function signIns({ loadBalancers }: UncheckedObject) {
  if (!isObject(loadBalancers)) return []
  return Object.entries(loadBalancers).flatMap(([name, balancer]) => {
    if (!isObject(balancer)) return []
    const rules: readonly unknown[] = Array.isArray(balancer.rules) ? balancer.rules : []
    const place = pointerTo('loadBalancers', name)
    return [
      { pointer: place, part: balancer as unknown },
      ...rules.map((part, at) => ({ pointer: `${place}/rules/${at}`, part })),
    ].flatMap(({ pointer, part }) =>
      isObject(part) && isObject(part.authenticate)
        ? [{ pointer: `${pointer}/authenticate`, authenticate: part.authenticate }]
        : [],
    )
  })
}
