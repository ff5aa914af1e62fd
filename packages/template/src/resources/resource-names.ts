import { createHash } from 'node:crypto'
import { wrongAt } from '../document/template-error.ts'
import { NotHere } from '../intrinsics/not-here.ts'
import type { ResourceValues } from '../intrinsics/scope.ts'
import type { Resource } from './stack.ts'

/** Where the parts of a platform are. */
export interface Location {
  readonly region: string
  readonly account: string
  /** The address of the queue API. */
  readonly queues: string
  /** The address of the user pools. */
  readonly userPools: string
  /** Returns the host and the port of a load balancer, or undefined for one without a listener. */
  readonly balancer: (logicalId: string) => string | undefined
}

/** Returns the name of a function. Like other names that a template leaves out, it is the logical id. */
export function functionName({ id, properties }: Resource): string {
  return properties.text('FunctionName') ?? id
}

export function queueName({ id, properties }: Resource): string {
  return properties.text('QueueName') ?? `${id}${properties.flag('FifoQueue') ? '.fifo' : ''}`
}

/** Returns the name of a rule for mail. */
export function receiptRuleName({ id, properties }: Resource): string {
  return properties.object('Rule')?.text('Name') ?? id
}

/**
 * Returns resources by their names.
 * @throws TemplateError for a name that two of them have
 */
export function byName(
  resources: readonly Resource[],
  property: string,
  nameOf: (resource: Resource) => string,
): ReadonlyMap<string, Resource> {
  const found = new Map<string, Resource>()
  for (const resource of resources) {
    const name = nameOf(resource)
    const other = found.get(name)
    if (other !== undefined)
      throw wrongAt([...resource.properties.place, property], `another name than that of ${other.id}`, name)
    found.set(name, resource)
  }
  return found
}

/** Returns the id of a user pool. It depends on the logical id alone, so it stays when other settings change. */
export function poolId({ id }: Resource, { region }: Location): string {
  return `${region}_${derived(`pool ${id}`, 9, base62)}`
}

export function clientId({ id }: Resource): string {
  return derived(`client ${id}`, 26, base36)
}

const base36 = '0123456789abcdefghijklmnopqrstuvwxyz'
const base62 = `${base36}${base36.slice(10).toUpperCase()}`

function derived(text: string, length: number, letters: string): string {
  const digest = createHash('sha512').update(text).digest()
  return Array.from({ length }, (_, at) => letters[digest[at]! % letters.length]).join('')
}

/** Returns the name of a function from its name, its ARN or a part of its ARN. */
export function functionNamed(text: string): string {
  return /(?:^|:)function:([^:]+)/.exec(text)?.[1] ?? text.split(':')[0]!
}

/** Returns the name of a queue from its ARN, or undefined for another text. */
export function queueNamed(arn: string): string | undefined {
  return /^arn:[^:]+:sqs:[^:]*:[^:]*:([^:]+)$/.exec(arn)?.[1]
}

/** Returns the port of a listener. A user cannot listen on the first ports, so these become ports from 8000 on. */
export function portOf(port: number): number {
  return port < 1024 ? 8000 + port : port
}

const types: { readonly [type: string]: (resource: Resource, location: Location) => ResourceValues } = {
  'AWS::Lambda::Function'(resource, { region, account }) {
    const name = functionName(resource)
    return { ref: name, attributes: { Arn: `arn:aws:lambda:${region}:${account}:function:${name}` } }
  },
  'AWS::Lambda::Alias': ({ properties }, location) => qualified(properties.text('FunctionName'), location),
  'AWS::Lambda::Version'({ properties }, location) {
    const { ref } = qualified(properties.text('FunctionName'), location)
    return { ref: ref!, attributes: { Version: '1', FunctionArn: ref! } }
  },
  'AWS::SQS::Queue'(resource, { region, account, queues }) {
    const name = queueName(resource)
    const url = `${queues}/${account}/${name}`
    return {
      ref: url,
      attributes: { Arn: `arn:aws:sqs:${region}:${account}:${name}`, QueueName: name, QueueUrl: url },
    }
  },
  'AWS::Cognito::UserPool'(resource, location) {
    const { region, account, userPools } = location
    const id = poolId(resource, location)
    return {
      ref: id,
      attributes: {
        Arn: `arn:aws:cognito-idp:${region}:${account}:userpool/${id}`,
        ProviderName: `${userPools.replace(/^https?:\/\//, '')}/${id}`,
        ProviderURL: `${userPools}/${id}`,
        UserPoolId: id,
      },
    }
  },
  'AWS::Cognito::UserPoolClient'(resource) {
    const id = clientId(resource)
    return {
      ref: id,
      attributes: { ClientId: id, Name: resource.properties.text('ClientName') ?? resource.id },
    }
  },
  'AWS::Cognito::UserPoolDomain': ({ properties }) => ({
    ref: properties.text('Domain') ?? '',
    attributes: {},
  }),
  'AWS::Cognito::UserPoolGroup': ({ id, properties }) => ({
    ref: properties.text('GroupName') ?? id,
    attributes: {},
  }),
  'AWS::Cognito::UserPoolResourceServer': ({ id, properties }) => ({
    ref: properties.text('Identifier') ?? id,
    attributes: {},
  }),
  'AWS::Cognito::UserPoolIdentityProvider': ({ id, properties }) => ({
    ref: properties.text('ProviderName') ?? id,
    attributes: {},
  }),
  'AWS::SES::ReceiptRule': rule => ({ ref: receiptRuleName(rule), attributes: {} }),
  'AWS::SES::ReceiptRuleSet': ({ id, properties }) => ({
    ref: properties.text('RuleSetName') ?? id,
    attributes: {},
  }),
  'AWS::ElasticLoadBalancingV2::LoadBalancer'(resource, location) {
    const { ref } = balancerArn(resource, location, 'loadbalancer/app')
    const DNSName = location.balancer(resource.id)
    return { ref: ref!, attributes: { LoadBalancerArn: ref!, ...(DNSName !== undefined && { DNSName }) } }
  },
  'AWS::ElasticLoadBalancingV2::TargetGroup'(resource, location) {
    const { ref } = balancerArn(resource, location, 'targetgroup')
    return {
      ref: ref!,
      attributes: { TargetGroupArn: ref!, TargetGroupName: resource.properties.text('Name') ?? resource.id },
    }
  },
  'AWS::ElasticLoadBalancingV2::ListenerRule': (resource, location) =>
    balancerArn(resource, location, 'listener-rule/app'),
  'AWS::ElasticLoadBalancingV2::Listener': (resource, location) =>
    balancerArn(resource, location, 'listener/app'),
}

function qualified(name: string | undefined, { region, account }: Location): ResourceValues {
  if (name === undefined) throw new NotHere('its function does not exist here')
  return { ref: `arn:aws:lambda:${region}:${account}:function:${functionNamed(name)}`, attributes: {} }
}

function balancerArn(
  { id, properties }: Resource,
  { region, account }: Location,
  kind: string,
): ResourceValues {
  const name = properties.text('Name') ?? id
  const ref = `arn:aws:elasticloadbalancing:${region}:${account}:${kind}/${name}/${derived(`${kind} ${id}`, 16, '0123456789abcdef')}`
  return { ref, attributes: { ListenerArn: ref } }
}

/** Returns what a template may say about a resource of the platform, or undefined for one that the platform has not. */
export function valuesAt(location: Location): (resource: Resource) => ResourceValues | undefined {
  return resource =>
    Object.hasOwn(types, resource.type) ? types[resource.type]!(resource, location) : undefined
}
