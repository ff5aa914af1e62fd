import type { SourceConfig } from '@signalbox/platform-runtime'
import {
  certificateProblems,
  fieldProblems,
  functionReferenceProblems,
  isObject,
  mapProblems,
  nestedProblems,
  object,
  optional,
  pointerTo,
  tlsFields,
} from '@signalbox/platform-runtime/config'
import type { LoadBalancersConfig } from './load-balancer-config.ts'
import { healthCheckFields, loadBalancerFields } from './load-balancer-fields.ts'
import { type LoadBalancerSettings, loadBalancerSettings, tlsList } from './load-balancer-settings.ts'

/** The part of the configuration under the key `loadBalancers`. */
export const loadBalancersPart: SourceConfig<readonly LoadBalancerSettings[]> = {
  name: 'load-balancer',
  fields: { loadBalancers: optional(object) },
  problems: ({ loadBalancers }, functions) =>
    mapProblems(loadBalancers, '/loadBalancers', (part, pointer) => [
      ...fieldProblems(loadBalancerFields, part, pointer),
      ...functionReferenceProblems(part, pointer, functions),
      ...nestedProblems(part, 'healthCheck', healthCheckFields, pointer),
      ...tlsProblems(part.tls, `${pointer}/tls`),
    ]),
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

function tlsProblems(tls: unknown, pointer: string) {
  if (Array.isArray(tls))
    return tls.flatMap((each: unknown, at) =>
      isObject(each) ? fieldProblems(tlsFields, each, `${pointer}/${at}`) : [],
    )
  return isObject(tls) ? fieldProblems(tlsFields, tls, pointer) : []
}
