import type { Properties } from '../resources/properties.ts'
import { functionNamed, portOf } from '../resources/resource-names.ts'
import type { Resource } from '../resources/stack.ts'
import type { Warnings } from '../resources/warnings.ts'
import { defined, type Part } from './config.ts'
import type { OptionPlaces } from './option-places.ts'
import { identityOf, rewriteOf, type SignInPools } from './sign-in.ts'

/** Returns whether the default action of a listener forwards. */
export function forwards({ properties }: Resource): boolean {
  return properties.list('DefaultActions').some(action => action.text('Type') === 'forward')
}

/** A target group with its ARN. */
interface TargetGroup {
  readonly arn: string
  readonly resource: Resource
}

/** The resources that load balancers are made of. */
export interface BalancerResources {
  readonly listeners: readonly (Resource & { readonly arn: string })[]
  readonly rules: readonly Resource[]
  readonly targetGroups: readonly TargetGroup[]
  /** The ids of resources of the template that do not exist here. */
  readonly absent: readonly string[]
}

/** What a rule answers of which the cloud alone knows whether it exists, of which listener it is, or which one it comes before. */
const uncertainRule: Part = {
  respond: { status: 501, body: 'Only the cloud knows when this rule applies.' },
}

/** What actions answer that only the cloud knows, because one of them could check who sends a request. */
const unknownActions: Part = { respond: { status: 501, body: 'Only the cloud knows the actions.' } }

/**
 * What a rule answers of which a condition is known in the cloud alone. It has its other conditions, so it answers for all
 * requests that it might be for, and none of them reaches a rule or a function that it is not for.
 */
const unknownCondition: Part = {
  respond: { status: 501, body: 'A condition of this rule is not known here.' },
}

/** What a rule whose function does not run answers, because its requests must not go on to the next rule. */
const notRunning: Part = { respond: { status: 503, body: 'The function does not run here.' } }

/** Returns the configurations of load balancers by name: one for each listener. */
export function loadBalancersOf(
  { listeners, rules, targetGroups, absent }: BalancerResources,
  functions: ReadonlySet<string>,
  pools: SignInPools,
  places: OptionPlaces,
  warnings: Warnings,
): { readonly [name: string]: Part } {
  /** Returns whether a rule is one of a listener. One of a listener that only the cloud knows could be one of any. */
  const isOf = ({ properties }: Resource, arn: string) => {
    const own = properties.text('ListenerArn')
    return properties.isWhole('ListenerArn')
      ? own === arn
      : !absent.some(id => properties.refersTo('ListenerArn', id))
  }
  return Object.fromEntries(
    listeners.flatMap(({ id, name, arn, properties }) => {
      places.add('loadBalancers', ['loadBalancers', name], properties.place)
      // A listener is enough to listen here, whatever its load balancer.
      properties.text('LoadBalancerArn')
      const port = portOf(properties.number('Port') ?? 80)
      const identity = (action: Properties, type: string | undefined) =>
        identityOf(action, type, (poolArn, clientId) => pools.clientFor(poolArn, clientId, name, port))
      const actions = actionReader(targetGroups, functions, identity, warnings)
      const action = actions.of(properties, 'DefaultActions', id)
      if (action === undefined) {
        warnings.missing(`${id} does not listen, because its default action does not run here.`)
        return []
      }
      const own = rules
        .filter(rule => isOf(rule, arn))
        .map(rule => ({ rule, priority: rule.properties.number('Priority') ?? 0 }))
        .sort((one, other) => one.priority - other.priority)
        .map(({ rule }) => {
          const { isUnknown, ...conditions } = conditionsOf(rule, warnings)
          const action = actions.of(rule.properties, 'Actions', rule.id) ?? notRunning
          const rewrite = rewriteOf(rule, warnings)
          const chosen =
            rewrite && !('respond' in action || 'redirect' in action) ? { ...action, rewrite } : action
          const isUncertain = rule.isUncertain || !['ListenerArn', 'Priority'].every(rule.properties.isWhole)
          if (isUncertain)
            warnings.missing(`${rule.id} answers 501, because only the cloud knows when it applies.`)
          const answer = isUncertain ? uncertainRule : isUnknown ? unknownCondition : chosen
          return { rule, part: { ...conditions, ...answer } }
        })
      for (const [index, { rule }] of own.entries())
        places.add('rules', ['loadBalancers', name, 'rules', index], rule.properties.place)
      if (properties.text('Protocol') === 'HTTPS')
        warnings.missing(
          `${id} listens by http: its certificate is not here. Set \`tls\` in a configuration.`,
        )
      return [
        [
          name,
          defined({
            port,
            ...action,
            rules: own.length === 0 ? undefined : own.map(({ part }) => part),
            healthCheck: actions.healthCheck(action),
          }),
        ],
      ]
    }),
  )
}

/** Reads actions of listeners and rules. */
function actionReader(
  targetGroups: readonly TargetGroup[],
  functions: ReadonlySet<string>,
  identity: (action: Properties, type: string | undefined) => Part | undefined,
  warnings: Warnings,
) {
  const groupOf = (arn: string | undefined) => targetGroups.find(each => each.arn === arn)

  /** Returns the function of a target group with its settings, or undefined when it does not run here. */
  const targetOf = (arn: string | undefined, id: string): Part | undefined => {
    const group = groupOf(arn)
    const properties = group?.resource.properties
    properties?.text('TargetType')
    const [callee] = properties?.list('Targets').flatMap(each => each.text('Id') ?? []) ?? []
    const name = callee && functionNamed(callee)
    if (group === undefined || name === undefined || !functions.has(name)) {
      warnings.missing(`${id} does not forward to ${name ?? 'its target group'}, which does not run here.`)
      return undefined
    }
    const attributes = new Map(
      properties!.list('TargetGroupAttributes').map(each => [each.text('Key'), each.text('Value')]),
    )
    const isMulti = attributes.get('lambda.multi_value_headers.enabled') === 'true'
    return defined({
      function: name,
      targetGroupArn: group.arn,
      multiValueHeaders: isMulti ? true : undefined,
    })
  }

  const forward = (action: Properties, id: string): Part | undefined => {
    const groups = action.object('ForwardConfig')?.list('TargetGroups') ?? []
    const own = action.text('TargetGroupArn')
    const stickiness = action.object('ForwardConfig')?.object('TargetGroupStickinessConfig')
    const seconds = stickiness?.number('DurationSeconds')
    const isSticky = stickiness?.flag('Enabled') === true
    if (groups.length < 2) return targetOf(own ?? groups[0]?.text('TargetGroupArn'), id)
    const targets = groups.flatMap(group => {
      const target = targetOf(group.text('TargetGroupArn'), id)
      return target === undefined ? [] : [{ ...target, weight: group.number('Weight') ?? 1 }]
    })
    return targets.length === 0
      ? undefined
      : defined({ forward: targets, sticky: isSticky ? seconds : undefined })
  }

  /** Returns the action that answers. One of another type answers 501, so that nobody gets in. */
  const answerOf = (
    last: { readonly action: Properties; readonly type: string | undefined } | undefined,
    id: string,
  ): Part | undefined => {
    if (last === undefined) return undefined
    const { action, type } = last
    if (type === 'forward') return forward(action, id)
    if (type !== 'fixed-response' && type !== 'redirect') {
      warnings.missing(`${id} has no ${type} action here, and so answers 501.`)
      return { respond: { status: 501, body: `${type} does not run here.` } }
    }
    const response = action.object('FixedResponseConfig')
    if (response !== undefined)
      return {
        respond: defined({
          status: response.number('StatusCode'),
          contentType: response.text('ContentType'),
          body: response.text('MessageBody'),
        }),
      }
    const redirect = action.object('RedirectConfig')
    if (redirect === undefined) return undefined
    return {
      redirect: defined({
        status: Number(redirect.text('StatusCode')?.replace('HTTP_', '')) || undefined,
        protocol: redirect.text('Protocol')?.replace(/^HTTPS?$/, text => text.toLowerCase()),
        host: redirect.text('Host'),
        port: redirect.text('Port'),
        path: redirect.text('Path'),
        query: redirect.text('Query'),
      }),
    }
  }

  return {
    /**
     * Returns the last action, which answers. One that does not run here answers 501, so that nobody gets in without the
     * sign-in that comes before it. Returns undefined, with a warning, when its function does not run.
     */
    of(properties: Properties, name: string, id: string): Part | undefined {
      const typed = properties
        .list(name)
        .map(action => ({ action, type: action.text('Type'), order: action.number('Order') ?? 0 }))
        .sort((one, other) => one.order - other.order)
      if (!properties.isWhole(name)) {
        warnings.missing(`${id} answers 501, because only the cloud knows its actions.`)
        return unknownActions
      }
      const before: { [key: string]: unknown } = {}
      for (const { action, type } of typed.slice(0, -1)) {
        const part = identity(action, type)
        if (part === undefined) {
          warnings.missing(`${id} has no ${type} action here, and so answers 501.`)
          return { respond: { status: 501, body: `${type} does not run here.` } }
        }
        Object.assign(before, part)
      }
      const answer = answerOf(typed.at(-1), id)
      return answer && { ...before, ...answer }
    },

    /** Returns the health check of the function of an action. */
    healthCheck({ function: name, targetGroupArn }: Part): Part | undefined {
      const target = name === undefined ? undefined : groupOf(String(targetGroupArn))?.resource.properties
      if (!target?.flag('HealthCheckEnabled')) return undefined
      return defined({
        path: target.text('HealthCheckPath'),
        interval: target.number('HealthCheckIntervalSeconds'),
        healthyThreshold: target.number('HealthyThresholdCount'),
        unhealthyThreshold: target.number('UnhealthyThresholdCount'),
      })
    },
  }
}

/** The conditions of a rule, and whether the cloud alone knows others. */
type Conditions = Part & { readonly isUnknown: boolean }

/** The blocks and the options of conditions that have a list of patterns. */
const patternConditions: { readonly [field: string]: readonly [config: string, option: string] } = {
  'path-pattern': ['PathPatternConfig', 'path'],
  'host-header': ['HostHeaderConfig', 'host'],
  'http-request-method': ['HttpRequestMethodConfig', 'method'],
  'source-ip': ['SourceIpConfig', 'source'],
}

/** Returns whether no part of a condition has expressions that only the cloud knows. */
function isRegexWhole(...parts: readonly (Properties | undefined)[]): boolean {
  return parts.every(part => part === undefined || ['Values', 'RegexValues'].every(part.isWhole))
}

/**
 * Returns the conditions of a rule. Of those that cannot be had here, it has none, or the first of several of a kind, so that
 * the rule is for all requests that it might be for.
 */
function conditionsOf({ id, properties }: Resource, warnings: Warnings): Conditions {
  const found: { [condition: string]: unknown } = {}
  // A condition that is left out would let the rule apply to more requests than in the cloud.
  let isUnknown = properties.value('Conditions') === undefined
  for (const condition of properties.list('Conditions')) {
    const field = condition.text('Field') ?? ''
    const patterns = patternConditions[field]
    if (patterns !== undefined) {
      const [config, option] = patterns
      const block = condition.object(config)
      const values = block?.texts('Values') ?? condition.texts('Values') ?? []
      const regexes = block?.texts('RegexValues') ?? condition.texts('RegexValues') ?? []
      const isKnown = values.length > 0 !== regexes.length > 0 && isRegexWhole(block, condition)
      if (!isKnown || option in found || `${option}Regex` in found) isUnknown = true
      else if (values.length > 0) found[option] = values
      else if (option === 'path' || option === 'host') found[`${option}Regex`] = regexes
      else isUnknown = true
    } else if (field === 'http-header') {
      const config = condition.object('HttpHeaderConfig')
      const name = config?.text('HttpHeaderName')
      const values = config?.texts('Values') ?? []
      const regexes = config?.texts('RegexValues') ?? []
      const option = regexes.length > 0 ? 'headersRegex' : 'headers'
      const isKnown = values.length > 0 !== regexes.length > 0 && isRegexWhole(config)
      const known = [found.headers, found.headersRegex].flatMap(each => Object.keys(each ?? {}))
      if (name === undefined || !isKnown || known.includes(name)) isUnknown = true
      else found[option] = { ...(found[option] as Part), [name]: option === 'headers' ? values : regexes }
    } else if (field === 'query-string') {
      const config = condition.object('QueryStringConfig')
      const declared = config?.list('Values') ?? []
      const isKnown = declared.every(each => ['Key', 'Value'].every(each.isWhole))
      const values = declared.map(each => defined({ key: each.text('Key'), value: each.text('Value') }))
      // Only some of several pairs would keep requests with the others from the rule.
      if (values.length === 0 || !isKnown || !config?.isWhole('Values') || found.query !== undefined)
        isUnknown = true
      else found.query = values
    } else {
      warnings.missing(`${id} has no condition ${field || 'without a field'} here.`)
      isUnknown = true
    }
  }
  if (Object.keys(found).length === 0) isUnknown = true
  if (isUnknown) {
    if (Object.keys(found).length === 0) found.path = ['*']
    warnings.missing(`${id} answers 501, because only the cloud knows what requests it is for.`)
  }
  return { ...found, isUnknown }
}
