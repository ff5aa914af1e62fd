import { functionNamed, portOf } from '../resources/resource-names.ts'
import type { Resource } from '../resources/stack.ts'
import type { Warnings } from '../resources/warnings.ts'
import { defined, type Part } from './config.ts'

/** Returns whether the default action of a listener forwards. */
export function forwards({ properties }: Resource): boolean {
  return properties.list('DefaultActions').some(action => action.text('Type') === 'forward')
}

/** Returns the configurations of load balancers by name: one for each listener that forwards to a function. */
export function loadBalancersOf(
  listeners: readonly Resource[],
  targetGroups: readonly { readonly arn: string; readonly resource: Resource }[],
  functions: ReadonlySet<string>,
  warnings: Warnings,
): { readonly [name: string]: Part } {
  return Object.fromEntries(
    listeners.flatMap(({ id, properties }) => {
      const actions = properties.list('DefaultActions')
      // A listener is enough to listen here, whatever its load balancer.
      properties.text('LoadBalancerArn')
      const arns = actions.map(action => {
        action.text('Type')
        const groups = action.object('ForwardConfig')?.list('TargetGroups') ?? []
        return action.text('TargetGroupArn') ?? groups.map(group => group.text('TargetGroupArn')).at(0)
      })
      const group = targetGroups.find(({ arn }) => arns.includes(arn))
      if (group === undefined) {
        warnings.missing(`${id} does not listen, because its default action does not forward to a function.`)
        return []
      }
      const { properties: target } = group.resource
      target.text('TargetType')
      const [callee] = target.list('Targets').flatMap(each => each.text('Id') ?? [])
      const name = callee && functionNamed(callee)
      if (name === undefined || !functions.has(name)) {
        warnings.missing(`${id} does not listen, because ${name ?? 'its target'} does not run.`)
        return []
      }
      const attributes = new Map(
        target.list('TargetGroupAttributes').map(each => [each.text('Key'), each.text('Value')]),
      )
      if (properties.text('Protocol') === 'HTTPS')
        warnings.missing(
          `${id} listens by http: its certificate is not here. Set \`tls\` in a configuration.`,
        )
      return [
        [
          id,
          defined({
            port: portOf(properties.number('Port') ?? 80),
            function: name,
            targetGroupArn: group.arn,
            multiValueHeaders:
              attributes.get('lambda.multi_value_headers.enabled') === 'true' ? true : undefined,
            healthCheck: target.flag('HealthCheckEnabled')
              ? defined({
                  path: target.text('HealthCheckPath'),
                  interval: target.number('HealthCheckIntervalSeconds'),
                  healthyThreshold: target.number('HealthyThresholdCount'),
                  unhealthyThreshold: target.number('UnhealthyThresholdCount'),
                })
              : undefined,
          }),
        ] as const,
      ]
    }),
  )
}
