import { isObject } from '@signalbox/codec'
import { defined, type Part, type TemplateConfig } from './config/config.ts'
import type { CodeFolders } from './config/function-code.ts'
import { functionOf } from './config/functions.ts'
import { forwards, loadBalancersOf } from './config/load-balancers.ts'
import { queuesOf } from './config/queues.ts'
import { userPoolsOf } from './config/user-pools.ts'
import { readDocument } from './document/read-document.ts'
import { TemplateError, wrongAt } from './document/template-error.ts'
import { evaluate } from './intrinsics/evaluate.ts'
import { NotHere } from './intrinsics/not-here.ts'
import { maskOf } from './intrinsics/parameters.ts'
import { byName, functionName, type Location, portOf, valuesAt } from './resources/resource-names.ts'
import { type Resource, stackOf } from './resources/stack.ts'
import { collectWarnings, type Warning } from './resources/warnings.ts'

/** What a template is read with. */
export interface TemplateOptions extends CodeFolders {
  /** The values of parameters by name. */
  readonly parameters: { readonly [name: string]: string }
  readonly region: string
  readonly account: string
  /** The name of the stack. */
  readonly stack: string
  /** A configuration with further settings, which win over those of the template. */
  readonly beside?: Part
}

/** What a template is for a platform. */
export interface Template {
  readonly config: TemplateConfig
  /** What does not run here, and what has no meaning here. */
  readonly warnings: readonly Warning[]
  /** The outputs of the template by name, those left out that only the cloud knows. */
  readonly outputs: { readonly [name: string]: string }
  /** The names of what the template describes, by the part of the configuration. */
  readonly names: { readonly [part: string]: readonly string[] }
}

/** The ports of listeners whose addresses functions get, unless the configuration beside a template has others. */
const defaultPorts = { queueListener: 9324, userPoolListener: 9331, invoke: 9332 }

/**
 * Returns the ports of listeners. They have to be known before the platform starts, because functions get the addresses.
 * @throws TemplateError for a listener on any free port
 */
function portsOf(beside: Part): typeof defaultPorts {
  const own = Object.entries(beside).flatMap(([name, listener]) => {
    const port = name in defaultPorts && isObject(listener) ? listener.port : undefined
    if (port === 0)
      throw wrongAt(
        [name, 'port'],
        'a port in the configuration beside the template, because functions get it,',
        'any free port',
      )
    return typeof port === 'number' ? [[name, port] as const] : []
  })
  return { ...defaultPorts, ...Object.fromEntries(own) }
}

function partOf(value: unknown): Part {
  return isObject(value) ? value : {}
}

function namesIn(parts: { readonly [part: string]: object }): Template['names'] {
  return Object.fromEntries(Object.entries(parts).map(([part, all]) => [part, Object.keys(all)]))
}

/** Returns two configurations as one. Settings of the second win. */
function joined(one: unknown, other: unknown): unknown {
  if (!isObject(one) || !isObject(other)) return other
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries(
    [...names].map(name => [
      name,
      !Object.hasOwn(other, name)
        ? one[name]
        : Object.hasOwn(one, name)
          ? joined(one[name], other[name])
          : other[name],
    ]),
  )
}

const urlOf = (port: number) => `http://127.0.0.1:${port}`

const balancing = 'AWS::ElasticLoadBalancingV2'

/** The types of resources that need nothing here, and whose absence nobody notices. */
const harmless =
  /^AWS::(?:IAM|Logs|CDK|KMS|CloudWatch|XRay|EC2)::|^AWS::Lambda::(?:Permission|Alias|Version|EventInvokeConfig)$|^AWS::SQS::QueuePolicy$|^AWS::Serverless::Connector$|::LoadBalancer$/

/**
 * Reads a template of AWS SAM or CloudFormation, as people write it or as CDK makes it, and returns the configuration of a
 * platform that runs what it describes: functions, queues and their event source mappings, user pools, and load balancers in
 * front of functions.
 * @param text the template in YAML or JSON
 * @throws TemplateError for what the template says wrongly, with the place of each problem
 */
export function readTemplate(text: string, options: TemplateOptions): Template {
  const document = readDocument(text)
  const mask = maskOf(partOf(document).Parameters, options.parameters)
  try {
    const { warnings, ...template } = templateOf(document, options)
    return { ...template, warnings: warnings.map(warning => ({ ...warning, text: mask(warning.text) })) }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new TemplateError(
      error.problems.map(problem => ({ ...problem, actual: mask(problem.actual ?? '') })),
    )
  }
}

function templateOf(document: unknown, options: TemplateOptions): Template {
  const warnings = collectWarnings()
  const { beside = {} } = options
  const ports = portsOf(beside)
  const location: Location = {
    region: options.region,
    account: options.account,
    queues: urlOf(ports.queueListener),
    userPools: urlOf(ports.userPoolListener),
    balancer: id => balancerAddress(id),
  }
  const { scope, resources } = stackOf(document, options.parameters, options, valuesAt(location), warnings)
  const of = (type: string) => resources.filter(resource => resource.type === type)
  const listeners = of(`${balancing}::Listener`)

  /** Returns where the first listener of a load balancer that forwards to functions listens. */
  function balancerAddress(id: string): string | undefined {
    const all = listeners.filter(({ properties }) => properties.refersTo('LoadBalancerArn', id))
    const listener = all.find(forwards) ?? all[0]
    if (listener === undefined) return undefined
    const own = partOf(partOf(beside.loadBalancers)[listener.id]).port
    return `127.0.0.1:${own ?? portOf(listener.properties.number('Port') ?? 80)}`
  }

  const besideFunctions = partOf(beside.functions)
  const functions = Object.fromEntries(
    [...byName(of('AWS::Lambda::Function'), 'FunctionName', functionName)].flatMap(([name, resource]) => {
      const own = besideFunctions[name]
      const hasCode = typeof own === 'string' || 'module' in partOf(own) || 'command' in partOf(own)
      const found = functionOf(resource, location, options, urlOf(ports.invoke), warnings, hasCode)
      return found === undefined ? [] : [[name, found] as const]
    }),
  )
  const names = new Set([...Object.keys(functions), ...Object.keys(besideFunctions)])
  const queues = queuesOf(of('AWS::SQS::Queue'), of('AWS::Lambda::EventSourceMapping'), names, warnings)
  const userPools = userPoolsOf(
    {
      pools: of('AWS::Cognito::UserPool'),
      clients: of('AWS::Cognito::UserPoolClient'),
      domains: of('AWS::Cognito::UserPoolDomain'),
      groups: of('AWS::Cognito::UserPoolGroup'),
      resourceServers: of('AWS::Cognito::UserPoolResourceServer'),
      identityProviders: of('AWS::Cognito::UserPoolIdentityProvider'),
    },
    location,
    names,
    warnings,
  )
  const arnOf = (id: string) => scope.resource(id)!.ref!
  const loadBalancers = loadBalancersOf(
    {
      listeners: listeners.map(resource => ({ ...resource, arn: arnOf(resource.id) })),
      rules: of(`${balancing}::ListenerRule`),
      targetGroups: of(`${balancing}::TargetGroup`).map(resource => ({ arn: arnOf(resource.id), resource })),
    },
    names,
    warnings,
  )
  reportRest(resources, warnings)
  const orNothing = <T extends object>(part: T) => (Object.keys(part).length === 0 ? undefined : part)
  const isUsed = (part: object, port: number) => (Object.keys(part).length === 0 ? undefined : { port })
  const own = defined({
    region: options.region,
    account: options.account,
    functions,
    queues: orNothing(queues),
    queueListener: isUsed(queues, ports.queueListener),
    userPools: orNothing(userPools),
    userPoolListener: isUsed(userPools, ports.userPoolListener),
    loadBalancers: orNothing(loadBalancers),
    invoke: { port: ports.invoke },
  })
  const config = joined(own, beside) as TemplateConfig
  return {
    config,
    warnings: warnings.all(),
    outputs: outputsOf(document as Part, scope),
    names: namesIn({ functions, queues, userPools, loadBalancers }),
  }
}

const handled =
  /^AWS::(?:Lambda::(?:Function|EventSourceMapping)|SQS::Queue|Cognito::UserPool(?:Client|Domain|Group|ResourceServer|IdentityProvider)?|ElasticLoadBalancingV2::(?:Listener|ListenerRule|TargetGroup))$/

function reportRest(resources: readonly Resource[], warnings: ReturnType<typeof collectWarnings>): void {
  for (const { id, type, properties } of resources) {
    if (handled.test(type)) for (const name of properties.unread()) warnings.ignored(type, name)
    else if (harmless.test(type)) warnings.ignored(type, 'not needed here')
    else warnings.missing(`${id} (${type}) does not run here.`)
  }
}

function outputsOf(
  { Outputs }: Part,
  scope: Parameters<typeof evaluate>[1],
): { readonly [name: string]: string } {
  const found: { [name: string]: string } = {}
  for (const [name, output] of Object.entries((Outputs ?? {}) as Part)) {
    const { Value, Condition } = (output ?? {}) as Part
    try {
      if (Condition !== undefined && !scope.condition(String(Condition))) continue
      const value = evaluate(Value, scope, ['Outputs', name, 'Value'])
      if (['string', 'number', 'boolean'].includes(typeof value)) found[name] = String(value)
    } catch (error) {
      if (!(error instanceof NotHere)) throw error
    }
  }
  return found
}
