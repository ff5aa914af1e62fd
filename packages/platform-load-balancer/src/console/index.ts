export { loadBalancerRoutes, type SentRequest } from './load-balancer-routes.ts'
