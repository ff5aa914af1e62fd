import type { Clock } from '@signalbox/core'
import { statusCodes } from '@signalbox/platform-runtime/listener'
import type { Action, LoadBalancerSettings, Target } from '../../config/load-balancer-settings.ts'
import { onlyRead, statusIdOf } from '../execution-answers.ts'
import { type PlainResponse, plainResponse } from '../response/plain-response.ts'
import type { ActionChecks, Check } from './action-checks.ts'
import { conditionsOf } from './conditions.ts'
import { locationOf, type RoutedRequest } from './location-of.ts'
import { type Rewrite, rewriteOf } from './rewrite.ts'
import { stickiness } from './sticky.ts'

/**
 * The function that answers a request, with `set-cookie` values for its response, a response without a function, or the
 * execution that the request asks for.
 */
export type Choice =
  | { readonly target: Target; readonly cookies?: readonly string[] }
  | { readonly response: PlainResponse }
  | { readonly execution: { readonly id: string; readonly functionName: string } }

/** What is done with a request: it is checked, an action is chosen, and its host and path are rewritten. */
export interface Steps {
  readonly check?: Check | undefined
  readonly choose: (request: RoutedRequest) => Choice
  readonly rewrite?: Rewrite | undefined
}

/**
 * Returns a function that chooses what is done with a request: the action of the first rule whose conditions it meets, or
 * else that of the load balancer.
 * @param random returns a number from 0 to 1, without 1
 */
export function chooseAction(
  { name, action, rules }: Pick<LoadBalancerSettings, 'name' | 'action' | 'rules'>,
  checks: ActionChecks,
  clock: Clock,
  random: () => number,
): { readonly always: Target | undefined; readonly stepsFor: (request: RoutedRequest) => Steps } {
  const stepsOf = (each: Action): Steps => ({
    check: checks.checkOf(each),
    choose: withStickiness(each, choiceOf(each, random), name, checks, clock),
  })
  const byDefault = stepsOf(action)
  const all = rules.map(rule => ({
    holds: conditionsOf(rule),
    steps: { ...stepsOf(rule.action), rewrite: rewriteOf(rule.rewrite) },
  }))
  const withStatus = [action, ...rules.map(rule => rule.action)].flatMap(each => {
    const [target] = each.kind === 'forward' ? each.targets : []
    return target?.execution === undefined ? [] : [{ action: each, target, execution: target.execution }]
  })
  /** Returns the steps of a request that asks how an execution goes. */
  const statusSteps = ({ path, method }: RoutedRequest): Steps | undefined => {
    for (const { action, target, execution } of withStatus) {
      const id = statusIdOf(path, execution)
      if (id === undefined) continue
      const choice =
        method === 'GET' || method === 'HEAD'
          ? { execution: { id, functionName: target.functionName } }
          : { response: onlyRead }
      return { check: checks.checkOf(action), choose: () => choice }
    }
    return undefined
  }
  const isAlways =
    rules.length === 0 &&
    byDefault.check === undefined &&
    action.kind === 'forward' &&
    action.targets.length === 1 &&
    action.targets[0]?.execution === undefined &&
    action.sticky === undefined
  return {
    always: isAlways ? action.targets[0] : undefined,
    stepsFor: request => statusSteps(request) ?? all.find(({ holds }) => holds(request))?.steps ?? byDefault,
  }
}

/** Returns a choice by which clients stay with their functions, when the action says so. */
function withStickiness(
  action: Action,
  choose: Steps['choose'],
  balancer: string,
  { vault }: ActionChecks,
  clock: Clock,
): Steps['choose'] {
  if (action.kind !== 'forward' || action.sticky === undefined || vault === undefined) return choose
  const { targetOf, cookiesFor } = stickiness(action, balancer, vault, clock)
  return request => {
    const before = targetOf(request)
    if (before !== undefined) return { target: before }
    const choice = choose(request)
    return 'target' in choice ? { ...choice, cookies: cookiesFor(request, choice.target) } : choice
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
