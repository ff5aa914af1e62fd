import {
  httpVerdict,
  isMultiValue,
  type LoadBalancerEvent,
  MultiValueResponse,
  SingleValueResponse,
} from '@signalbox/load-balancer/contract'
import { loadBalancerFamily } from '@signalbox/load-balancer/family'
import { type PlatformFamily, payloadProblems } from '@signalbox/platform-runtime'
import { describeHttpVerdict } from './describe-http-verdict.ts'

/** The family of load-balancer events. */
export const httpFamily: PlatformFamily = {
  ...loadBalancerFamily,
  verdict: (payload, event: LoadBalancerEvent) => describeHttpVerdict(httpVerdict(payload, event)),
  problems: (payload, event: LoadBalancerEvent) =>
    payloadProblems(isMultiValue(event) ? MultiValueResponse : SingleValueResponse, payload),
  summarize: ({ httpMethod, path }) => `${httpMethod} ${path}`,
  samples: {
    'load-balancer': () => sample(false),
    'load-balancer-multi-value': () => sample(true),
  },
}

async function sample(multiValue: boolean): Promise<unknown> {
  const { httpEvent } = await import('@signalbox/load-balancer/testing')
  return httpEvent('GET', '/orders/7?view=full', { multiValue })
}
