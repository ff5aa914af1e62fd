export { type BalancerIdentity, type BalancerIdentityOptions, balancerIdentity } from './balancer-identity.ts'
