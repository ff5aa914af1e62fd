import {
  type ConfigOf,
  defaultHost,
  hostNames,
  integerFrom,
  isObject,
  listenerLimits,
  listOf,
  mapOf,
  matching,
  nonEmptyText,
  objectOf,
  optional,
  port,
  required,
  seconds,
  type TlsConfig,
  textLike,
  tlsFields,
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import { actionFields, type RuleConfig, ruleFields, type TargetConfig } from './rule-config.ts'

export const healthCheckFields = {
  /** The path of the check requests, with or without a query. Default `/`. */
  path: optional(
    textLike('a path that starts with a slash, without a fragment', /^\/[\x21\x22\x24-\x7e]*$/),
    '/',
  ),
  /** Seconds between two checks. Default 35. */
  interval: optional(seconds(0.1, 86_400), 35),
  /** The number of successive successful checks after which the function counts as healthy. Default 5. */
  healthyThreshold: optional(integerFrom(1, 100), 5),
  /** The number of successive failed checks after which the function counts as unhealthy. Default 2. */
  unhealthyThreshold: optional(integerFrom(1, 100), 2),
}

/** Health checks of a load balancer. */
export interface HealthCheckConfig extends ConfigOf<typeof healthCheckFields> {}

const tls = matching<TlsConfig | readonly TlsConfig[]>(
  'a certificate and its key, or a list of them',
  value => isObject(value) || (Array.isArray(value) && value.length > 0 && value.every(isObject)),
)

const listenerFields = {
  /** The port to listen on. With 0, the system chooses a free port. */
  port: required(port),
  /** The address to listen on. Default `127.0.0.1`, which only this machine can reach. */
  host: optional(nonEmptyText, defaultHost),
  /**
   * Whether other machines may send requests. If they need authentication, the function has to provide it. Default
   * false.
   */
  open: optional(t.boolean, false),
  /** The host names that requests may be sent to: any other Host header gets 421. Default: any name. */
  names: optional(hostNames),
  /** The limits for each client address. Clients that exceed them get 429. Default: no limits. */
  limits: optional(listenerLimits),
  /**
   * The PEM files of a certificate and its key. From a list, the load balancer selects the entry by the host name that
   * a client asks for (SNI). With `tls`, clients connect over https.
   */
  tls: optional(Object.assign(tls, { fields: tlsFields })),
  ...actionFields,
  /** Rules in the order in which they are tried. The first whose conditions a request meets decides, and else the action above. */
  rules: optional(listOf<RuleConfig>(ruleFields, 'a list of rules')),
}

/** A listener of a load balancer, with actions of its own. */
export interface ListenerConfig<FunctionName extends string = string>
  extends ConfigOf<typeof listenerFields> {
  readonly function?: FunctionName
  readonly forward?: readonly TargetConfig<FunctionName>[]
  readonly rules?: readonly RuleConfig<FunctionName>[]
}

export const loadBalancerFields = {
  ...listenerFields,
  /** Further listeners, such as one for http that redirects to https. */
  listeners: optional(listOf<ListenerConfig>(listenerFields, 'a list of listeners')),
  /**
   * The ARN of the load balancer, which is the signer of the claims about users. Default: made from its name, and the
   * `region` and `account` of the configuration.
   */
  arn: optional(
    textLike(
      'the ARN of a load balancer, such as arn:cloud:balancer:region-1:1:loadbalancer/web/7',
      /^arn(:[^:\s]+){4}:loadbalancer\/\S+$/,
    ),
  ),
  /** The requests with which the load balancer checks the function. Default: none. */
  healthCheck: optional(objectOf<HealthCheckConfig>(healthCheckFields)),
}

/** An HTTP listener in front of functions. */
export interface LoadBalancerConfig<FunctionName extends string = string>
  extends ConfigOf<typeof loadBalancerFields> {
  readonly function?: FunctionName
  readonly forward?: readonly TargetConfig<FunctionName>[]
  readonly rules?: readonly RuleConfig<FunctionName>[]
  readonly listeners?: readonly ListenerConfig<FunctionName>[]
}

export const loadBalancersFields = {
  /** HTTP listeners in front of functions, by name. */
  loadBalancers: optional(mapOf<LoadBalancerConfig>(loadBalancerFields)),
}

/** The top-level configuration keys of load balancers. */
export interface LoadBalancersConfig<FunctionName extends string = string>
  extends ConfigOf<typeof loadBalancersFields> {
  readonly loadBalancers?: { readonly [name: string]: LoadBalancerConfig<NoInfer<FunctionName>> }
}
