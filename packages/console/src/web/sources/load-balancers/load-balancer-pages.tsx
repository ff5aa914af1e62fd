import type { SourcePages } from '../source-pages.ts'
import { RequestPage } from './request-page.tsx'

/** The pages of load balancers. */
export const loadBalancerPages: SourcePages = {
  trial: { name: 'request', title: 'A request to a load balancer', show: () => <RequestPage /> },
}
