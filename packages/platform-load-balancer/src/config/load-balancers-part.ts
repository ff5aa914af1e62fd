import type { SourceConfig } from '@signalbox/platform-runtime'
import {
  certificateProblems,
  insideProblems,
  isObject,
  type SecretConfig,
  secretProblems,
  type UncheckedObject,
} from '@signalbox/platform-runtime/config'
import { listenersOf } from './listeners.ts'
import {
  type ListenerConfig,
  type LoadBalancerConfig,
  type LoadBalancersConfig,
  loadBalancersFields,
} from './load-balancer-config.ts'
import { type LoadBalancerSettings, loadBalancerSettings, tlsList } from './load-balancer-settings.ts'
import { balancerProblems } from './rule-problems.ts'

/** The part of the configuration under the key `loadBalancers`. */
export const loadBalancersPart: SourceConfig<readonly LoadBalancerSettings[]> = {
  name: 'load-balancer',
  fields: loadBalancersFields,
  problems: (config, functions) =>
    insideProblems(
      loadBalancersFields,
      'loadBalancers',
      config,
      (part, pointer) => balancerProblems(part, pointer, functions, config.queues),
      { listeners: (part, pointer) => balancerProblems(part, pointer, functions, config.queues) },
    ),
  listeners: ({ loadBalancers }) =>
    listenersOf(loadBalancers).map(({ name, pointer, part }) => ({
      ...{ name, pointer, part },
      clients: 'public' as const,
    })),
  fileProblems: (config, root) => [
    ...listenersOf(config.loadBalancers).flatMap(({ pointer, part }) => {
      const { tls } = part as unknown as ListenerConfig
      return tls === undefined
        ? []
        : tlsList(tls).flatMap((files, at) =>
            certificateProblems(files, `${pointer}/tls${'cert' in tls ? '' : `/${at}`}`, root),
          )
    }),
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
    listenersOf(config.loadBalancers).map(({ name, balancer, part }) => {
      const { arn } = (config as LoadBalancersConfig).loadBalancers![balancer]!
      return loadBalancerSettings(name, { arn, ...part } as LoadBalancerConfig, location, root, balancer)
    }),
}

/** Returns the `authenticate` objects of a configuration, which may be invalid, with their places. */
function signIns({ loadBalancers }: UncheckedObject) {
  return listenersOf(loadBalancers).flatMap(({ pointer: place, part: listener }) => {
    const rules: readonly unknown[] = Array.isArray(listener.rules) ? listener.rules : []
    return [
      { pointer: place, part: listener as unknown },
      ...rules.map((part, at) => ({ pointer: `${place}/rules/${at}`, part })),
    ].flatMap(({ pointer, part }) =>
      isObject(part) && isObject(part.authenticate)
        ? [{ pointer: `${pointer}/authenticate`, authenticate: part.authenticate }]
        : [],
    )
  })
}
