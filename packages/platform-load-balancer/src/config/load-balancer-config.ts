import type { ListenerLimitsConfig, TlsConfig } from '@signalbox/platform-runtime/config'

/** Health checks of a load balancer. */
export interface HealthCheckConfig {
  /** The path of the check requests, with or without a query. Default `/`. */
  readonly path?: string
  /** Seconds between two checks. Default 35. */
  readonly interval?: number
  /** The number of successive successful checks after which the function counts as healthy. Default 5. */
  readonly healthyThreshold?: number
  /** The number of successive failed checks after which the function counts as unhealthy. Default 2. */
  readonly unhealthyThreshold?: number
}

/** An HTTP listener in front of a function. */
export interface LoadBalancerConfig<FunctionName extends string = string> {
  /** The port to listen on. With 0, the system chooses a free port. */
  readonly port: number
  /** The address to listen on. Default `127.0.0.1`, which only this machine can reach. */
  readonly host?: string
  /**
   * The PEM files of a certificate and its key. From a list, the load balancer selects the entry by the host name that
   * a client asks for (SNI). With `tls`, clients connect over https.
   */
  readonly tls?: TlsConfig | readonly TlsConfig[]
  /**
   * Whether other machines may send requests. If they need authentication, the function has to provide it. Default
   * false.
   */
  readonly open?: boolean
  /** The host names that requests may be sent to: any other Host header gets 421. Default: any name. */
  readonly names?: readonly string[]
  /** The limits for each client address. Clients that exceed them get 429. Default: no limits. */
  readonly limits?: ListenerLimitsConfig
  readonly function: FunctionName
  /** Whether events contain every value of a repeated header or parameter. Default false. */
  readonly multiValueHeaders?: boolean
  /**
   * The ARN of the target group, which events have in `requestContext.elb.targetGroupArn`. Default: made from the name of
   * the load balancer, and the `region` and `account` of the configuration.
   */
  readonly targetGroupArn?: string
  readonly healthCheck?: HealthCheckConfig
}

/** The top-level configuration keys of load balancers. */
export interface LoadBalancersConfig<FunctionName extends string = string> {
  readonly loadBalancers?: { readonly [name: string]: LoadBalancerConfig<NoInfer<FunctionName>> }
}
