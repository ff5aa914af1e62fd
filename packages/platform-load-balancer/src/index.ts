export type {
  HealthCheckConfig,
  LoadBalancerConfig,
  LoadBalancersConfig,
} from './config/load-balancer-config.ts'
export type { LoadBalancerSettings } from './config/load-balancer-settings.ts'
export { loadBalancerModule } from './load-balancer-module.ts'
