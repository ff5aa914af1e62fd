import { defined, type Part } from '../config/config.ts'
import { arnOf, listOf, partOf, permission, refTo } from './values.ts'
import type { Writing } from './writing.ts'

const balancing = 'AWS::ElasticLoadBalancingV2'

/** The number between the priorities of rules, so that there is room for others. */
const priorityStep = 10

/** Writes load balancers, with a listener, rules and target groups each. */
export function writeLoadBalancers(
  loadBalancers: readonly (readonly [string, unknown])[],
  writing: Writing,
): void {
  for (const [name, value] of loadBalancers) {
    const place = `loadBalancers.${name}`
    const { port, tls, rules, healthCheck, ...options } = partOf(value)
    const {
      function: callee,
      multiValueHeaders,
      targetGroupArn: _,
      forward,
      respond,
      redirect,
      ...rest
    } = options
    const id = writing.idOf('loadBalancers', name)
    const balancer = writing.idOf('balancers', `${id}Balancer`)
    writing.needParameter('Subnets', 'List<AWS::EC2::Subnet::Id>', 'The subnets of the load balancers')
    if (tls !== undefined)
      writing.needParameter('Certificate', 'String', 'The ARN of the certificate of the load balancers')
    writing.add({
      id: balancer,
      type: `${balancing}::LoadBalancer`,
      properties: { Type: 'application', Subnets: refTo('Subnets') },
    })
    const groups = targetGroups(id, healthCheck, writing)
    const action = actionOf(
      { function: callee, multiValueHeaders, forward, respond, redirect },
      place,
      groups,
      writing,
    )
    writing.add({
      id,
      type: `${balancing}::Listener`,
      properties: defined({
        LoadBalancerArn: refTo(balancer),
        Port: port === 0 ? 80 : port,
        Protocol: tls === undefined ? 'HTTP' : 'HTTPS',
        Certificates: tls === undefined ? undefined : [{ CertificateArn: refTo('Certificate') }],
        DefaultActions: [action],
      }),
    })
    for (const [at, rule] of listOf(rules).entries()) {
      const { host, path, method, headers, query, source, ...actions } = partOf(rule)
      const at10 = (at + 1) * priorityStep
      writing.add({
        id: writing.idOf('rules', `${id}Rule${at + 1}`),
        type: `${balancing}::ListenerRule`,
        properties: {
          ListenerArn: refTo(id),
          Priority: at10,
          Conditions: conditionsOf({ host, path, method, headers, query, source }),
          Actions: [actionOf(actions, `${place}.rules.${at}`, groups, writing)],
        },
      })
    }
    writing.rest(place, rest)
  }
}

/** Returns a function that adds the target group of a function, once, and returns its id. */
function targetGroups(id: string, healthCheck: unknown, writing: Writing) {
  const known = new Map<string, string>()
  return (name: string, isMulti: boolean): string => {
    const key = `${name} ${isMulti}`
    const group = known.get(key)
    if (group !== undefined) return group
    const callee = writing.idOf('functions', name)
    const found = writing.idOf('targetGroups', `${id}To${callee}${isMulti ? 'Multi' : ''}`)
    known.set(key, found)
    const { path, interval, healthyThreshold, unhealthyThreshold } = partOf(healthCheck)
    const allowed = writing.idOf('permissions', `${found}Permission`)
    writing.add(permission(allowed, callee, 'elasticloadbalancing'))
    writing.add({
      id: found,
      type: `${balancing}::TargetGroup`,
      properties: defined({
        TargetType: 'lambda',
        Targets: [{ Id: arnOf(callee) }],
        TargetGroupAttributes: isMulti
          ? [{ Key: 'lambda.multi_value_headers.enabled', Value: 'true' }]
          : undefined,
        ...(healthCheck !== undefined && {
          HealthCheckEnabled: true,
          HealthCheckPath: path,
          HealthCheckIntervalSeconds: interval,
          HealthyThresholdCount: healthyThreshold,
          UnhealthyThresholdCount: unhealthyThreshold,
        }),
      }),
    })
    return found
  }
}

function actionOf(
  options: Part,
  place: string,
  groupOf: (name: string, isMulti: boolean) => string,
  writing: Writing,
): Part {
  const {
    function: callee,
    multiValueHeaders,
    targetGroupArn: _,
    forward,
    respond,
    redirect,
    ...rest
  } = options
  writing.rest(place, rest)
  const targets =
    forward === undefined ? [{ function: callee, multiValueHeaders }] : listOf(forward).map(partOf)
  if (respond !== undefined) {
    const { status, contentType, body } = partOf(respond)
    return {
      Type: 'fixed-response',
      FixedResponseConfig: defined({
        StatusCode: String(status),
        ContentType: contentType,
        MessageBody: body,
      }),
    }
  }
  if (redirect !== undefined) {
    const { status = 302, protocol, host, port, path, query } = partOf(redirect)
    return {
      Type: 'redirect',
      RedirectConfig: defined({
        StatusCode: `HTTP_${status}`,
        Protocol:
          typeof protocol === 'string' ? protocol.replace(/^https?$/, text => text.toUpperCase()) : undefined,
        Host: host,
        Port: port,
        Path: path,
        Query: query,
      }),
    }
  }
  const lost = targets.find(target => !writing.isFunction(String(target.function)))
  if (lost !== undefined) {
    writing.missing(`${place}.function`, 'its function cannot be deployed')
    return { Type: 'fixed-response', FixedResponseConfig: { StatusCode: '503' } }
  }
  const groups = targets.map(target => groupOf(String(target.function), target.multiValueHeaders === true))
  const [only, ...more] = groups
  if (more.length === 0) return { Type: 'forward', TargetGroupArn: refTo(only!) }
  const TargetGroups = groups.map((group, at) => ({
    TargetGroupArn: refTo(group),
    Weight: (targets[at] as Part).weight ?? 1,
  }))
  return { Type: 'forward', ForwardConfig: { TargetGroups } }
}

function conditionsOf({ host, path, method, headers, query, source }: Part): readonly Part[] {
  const patterns = (field: string, config: string, value: unknown) =>
    value === undefined ? [] : [{ Field: field, [config]: { Values: listOf(value) } }]
  return [
    ...patterns('host-header', 'HostHeaderConfig', host),
    ...patterns('path-pattern', 'PathPatternConfig', path),
    ...patterns('http-request-method', 'HttpRequestMethodConfig', method),
    ...Object.entries(partOf(headers)).map(([HttpHeaderName, values]) => ({
      Field: 'http-header',
      HttpHeaderConfig: { HttpHeaderName, Values: listOf(values) },
    })),
    ...(query === undefined
      ? []
      : [
          {
            Field: 'query-string',
            QueryStringConfig: {
              Values: listOf(query).map(each =>
                defined({ Key: partOf(each).key, Value: partOf(each).value }),
              ),
            },
          },
        ]),
    ...patterns('source-ip', 'SourceIpConfig', source),
  ]
}
