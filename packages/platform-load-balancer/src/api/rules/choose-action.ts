import { statusCodes } from '@signalbox/platform-runtime/listener'
import type { Action, LoadBalancerSettings, Target } from '../../config/load-balancer-settings.ts'
import { type PlainResponse, plainResponse } from '../response/plain-response.ts'
import { conditionsOf } from './conditions.ts'
import { locationOf, type RoutedRequest } from './location-of.ts'

/** The function that answers a request, or a response without one. */
export type Choice = { readonly target: Target } | { readonly response: PlainResponse }

/**
 * Returns a function that chooses what is done with a request: the action of the first rule whose conditions it meets, or
 * else that of the load balancer.
 * @param random returns a number from 0 to 1, without 1
 */
export function chooseAction(
  { action, rules }: Pick<LoadBalancerSettings, 'action' | 'rules'>,
  random: () => number,
): { readonly always: Choice | undefined; readonly choose: (request: RoutedRequest) => Choice } {
  const byDefault = choiceOf(action, random)
  const all = rules.map(rule => ({ holds: conditionsOf(rule), choose: choiceOf(rule.action, random) }))
  const isAlways = rules.length === 0 && action.kind === 'forward' && action.targets.length === 1
  return {
    always: isAlways ? { target: action.targets[0]! } : undefined,
    choose: request => (all.find(({ holds }) => holds(request))?.choose ?? byDefault)(request),
  }
}

function choiceOf(action: Action, random: () => number): (request: RoutedRequest) => Choice {
  switch (action.kind) {
    case 'respond': {
      const body = Buffer.from(action.body)
      const headers = [
        ['content-type', `${action.contentType}; charset=utf-8`],
        ['content-length', String(body.length)],
      ] as const
      const { status } = action
      const response = { status, reason: statusCodes[status] ?? '', headers, body }
      return () => ({ response })
    }
    case 'redirect':
      return request => {
        const location = locationOf(action, request)
        return { response: plainResponse(action.status, location, [['location', location]]) }
      }
    case 'forward': {
      const [only, ...others] = action.targets
      if (only !== undefined && others.length === 0 && only.weight > 0) return () => ({ target: only })
      const sum = action.targets.reduce((all, { weight }) => all + weight, 0)
      return () => {
        let at = random() * sum
        const target = action.targets.find(({ weight }) => {
          at -= weight
          return at < 0
        })
        return target === undefined ? { response: noTarget } : { target }
      }
    }
  }
}

const noTarget = plainResponse(503, 'All weights are 0')
