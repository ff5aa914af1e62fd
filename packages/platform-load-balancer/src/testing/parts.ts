// The parts of load balancers that tests of other packages put together themselves.
export { loadBalancersPart } from '../config/load-balancers-part.ts'
