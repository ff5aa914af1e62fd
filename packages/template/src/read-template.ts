import { defined, type Part, type TemplateConfig } from './config/config.ts'
import type { CodeFolders } from './config/function-code.ts'
import { functionOf } from './config/functions.ts'
import { loadBalancersOf } from './config/load-balancers.ts'
import { queuesOf } from './config/queues.ts'
import { userPoolsOf } from './config/user-pools.ts'
import { readDocument } from './document/read-document.ts'
import { evaluate } from './intrinsics/evaluate.ts'
import { NotHere } from './intrinsics/not-here.ts'
import { collectNotes, type Note } from './resources/notes.ts'
import { functionName, type Location, portOf, valuesAt } from './resources/resource-names.ts'
import { type Resource, stackOf } from './resources/stack.ts'

/** What a template is read with. */
export interface TemplateOptions extends CodeFolders {
  /** The values of parameters by name. */
  readonly parameters: { readonly [name: string]: string }
  readonly region: string
  readonly account: string
  /** The name of the stack. */
  readonly stack: string
  /**
   * The ports of the listeners that functions call. They have to be known before the platform starts, because functions get
   * their addresses. Default: those of the platform.
   */
  readonly ports?: Partial<typeof defaultPorts>
}

/** What a template is for a platform. */
export interface Template {
  readonly config: TemplateConfig
  /** What does not run here, and what has no meaning here. */
  readonly notes: readonly Note[]
  /** The outputs of the template by name, those left out that only the cloud knows. */
  readonly outputs: { readonly [name: string]: string }
}

const defaultPorts = { queues: 9324, userPools: 9331, invoke: 9332 }

const urlOf = (port: number) => `http://127.0.0.1:${port}`

/** The types of resources that the platform runs. */
const balancing = 'AWS::ElasticLoadBalancingV2'

/** The types of resources that need nothing here, and whose absence nobody notices. */
const harmless =
  /^AWS::(?:IAM|Logs|CDK|KMS|CloudWatch|XRay|EC2)::|^AWS::Lambda::(?:Permission|Alias|Version|EventInvokeConfig)$|^AWS::SQS::QueuePolicy$|::LoadBalancer$/

/**
 * Reads a template of AWS SAM or CloudFormation, as people write it or as CDK makes it, and returns the configuration of a
 * platform that runs what it describes: functions, queues and their event source mappings, user pools, and load balancers in
 * front of functions.
 * @param text the template in YAML or JSON
 * @throws TemplateError for what the template says wrongly, with the place of each problem
 */
export function readTemplate(text: string, options: TemplateOptions): Template {
  const document = readDocument(text)
  const notes = collectNotes()
  const ports = { ...defaultPorts, ...options.ports }
  const location: Location = {
    region: options.region,
    account: options.account,
    queues: urlOf(ports.queues),
    userPools: urlOf(ports.userPools),
    balancer: id => balancerAddress(id),
  }
  const { scope, resources } = stackOf(document, options.parameters, options, valuesAt(location), notes)
  const of = (type: string) => resources.filter(resource => resource.type === type)
  const listeners = of(`${balancing}::Listener`)

  function balancerAddress(id: string): string | undefined {
    const listener = listeners.find(({ properties }) => properties.refersTo('LoadBalancerArn', id))
    return listener && `127.0.0.1:${portOf(listener.properties.number('Port') ?? 80)}`
  }

  const functions: { [name: string]: Part } = {}
  for (const resource of of('AWS::Lambda::Function')) {
    const found = functionOf(resource, location, options, urlOf(ports.invoke), notes)
    if (found !== undefined) functions[functionName(resource)] = found
  }
  const names = new Set(Object.keys(functions))
  const queues = queuesOf(of('AWS::SQS::Queue'), of('AWS::Lambda::EventSourceMapping'), names, notes)
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
    notes,
  )
  const groups = of(`${balancing}::TargetGroup`).map(resource => ({
    arn: scope.resource(resource.id)!.ref!,
    resource,
  }))
  const loadBalancers = loadBalancersOf(listeners, groups, names, notes)
  noteRest(resources, notes)
  const orNothing = <T extends object>(part: T) => (Object.keys(part).length === 0 ? undefined : part)
  const isUsed = (part: object, port: number) => (Object.keys(part).length === 0 ? undefined : { port })
  const config = defined({
    region: options.region,
    account: options.account,
    functions,
    queues: orNothing(queues),
    queueListener: isUsed(queues, ports.queues),
    userPools: orNothing(userPools),
    userPoolListener: isUsed(userPools, ports.userPools),
    loadBalancers: orNothing(loadBalancers),
    invoke: { port: ports.invoke },
  }) as unknown as TemplateConfig
  return { config, notes: notes.all(), outputs: outputsOf(document as Part, scope) }
}

const handled =
  /^AWS::(?:Lambda::(?:Function|EventSourceMapping)|SQS::Queue|Cognito::UserPool(?:Client|Domain|Group|ResourceServer|IdentityProvider)?|ElasticLoadBalancingV2::(?:Listener|TargetGroup))$/

function noteRest(resources: readonly Resource[], notes: ReturnType<typeof collectNotes>): void {
  for (const { id, type, properties } of resources) {
    if (handled.test(type)) for (const name of properties.unread()) notes.ignored(type, name)
    else if (harmless.test(type)) notes.ignored(type, 'not needed here')
    else notes.missing(`${id} (${type}) does not run here.`)
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
      if (typeof value === 'string') found[name] = value
    } catch (error) {
      if (!(error instanceof NotHere)) throw error
    }
  }
  return found
}
