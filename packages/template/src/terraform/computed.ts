import type { PlannedResource } from './plan.ts'

/** Attributes that the cloud computes, as calls in a template: `Ref`, or the name of an attribute for `Fn::GetAtt`. */
const computed: { readonly [type: string]: { readonly [attribute: string]: string } } = {
  aws_lambda_function: { arn: 'Arn', qualified_arn: 'Arn' },
  aws_lambda_alias: { arn: 'Ref' },
  aws_sqs_queue: { arn: 'Arn', id: 'Ref', url: 'Ref' },
  aws_cognito_user_pool: { arn: 'Arn', id: 'Ref', endpoint: 'ProviderName' },
  aws_cognito_user_pool_client: { id: 'Ref' },
  aws_lb: { arn: 'Ref', id: 'Ref', dns_name: 'DNSName' },
  aws_lb_target_group: { arn: 'Ref', id: 'Ref' },
  aws_lb_listener: { arn: 'Ref', id: 'Ref' },
  aws_lb_listener_rule: { arn: 'Ref', id: 'Ref' },
}

/** Returns the type of a resource. The types of load balancers have two names. */
export function typeOf(type: string): string {
  return type.replace(/^aws_alb(?=_|$)/, 'aws_lb')
}

/** Returns what an attribute is here, or undefined for one that is no value of the cloud. */
export function computedOf({ type, address, values }: PlannedResource, attribute: string): unknown {
  const known = typeOf(type)
  if (known === 'aws_cognito_resource_server' && attribute === 'scope_identifiers') {
    const scopes = Array.isArray(values.scope) ? (values.scope as { readonly scope_name?: string }[]) : []
    return scopes.map(({ scope_name }) => `${values.identifier}/${scope_name}`)
  }
  // The name of a function is known, and is all that its id says.
  if (known === 'aws_lambda_function' && attribute === 'id') return { Ref: address }
  const name = computed[known]?.[attribute]
  if (name === undefined) return undefined
  return name === 'Ref' ? { Ref: address } : { 'Fn::GetAtt': [address, name] }
}
