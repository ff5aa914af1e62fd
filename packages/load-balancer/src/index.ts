export { loadBalancerFamily } from './family.ts'
