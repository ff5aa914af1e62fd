import { isObject, kindOf, type Problem, pointerTo } from '@signalbox/codec'
import { addressesIn } from './config/addresses.ts'
import { defined, type Part, type TemplateConfig } from './config/config.ts'
import { eventSettingsOf } from './config/event-settings.ts'
import type { CodeFolders } from './config/function-code.ts'
import { functionOf } from './config/functions.ts'
import { forwards, loadBalancersOf } from './config/load-balancers.ts'
import { mailOf } from './config/mail.ts'
import { type OptionPlaces, optionPlaces } from './config/option-places.ts'
import { queuesOf } from './config/queues.ts'
import type { SignInPools } from './config/sign-in.ts'
import { userPoolsOf } from './config/user-pools.ts'
import { merged } from './document/merge.ts'
import { readDocument } from './document/read-document.ts'
import { TemplateError, wrongAt } from './document/template-error.ts'
import { conditionsOf } from './intrinsics/conditions.ts'
import { evaluate } from './intrinsics/evaluate.ts'
import { expandLoops } from './intrinsics/for-each.ts'
import { NotHere } from './intrinsics/not-here.ts'
import { maskOf, parametersOf, secretsIn } from './intrinsics/parameters.ts'
import type { Scope } from './intrinsics/scope.ts'
import { type Expanded, expandSam } from './resources/expand-sam.ts'
import { byName, functionName, type Location, portOf, valuesAt } from './resources/resource-names.ts'
import { type Resource, type Sections, type Stack, stackOf } from './resources/stack.ts'
import { collectWarnings, type Warning, type Warnings } from './resources/warnings.ts'
import { isPlan, planOf } from './terraform/plan.ts'
import { planPointer, readPlan } from './terraform/read-plan.ts'
import { needless } from './terraform/translations.ts'

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
  /**
   * Returns a problem of the configuration with its place in the template, and without secrets. A problem with an option that
   * is not from the template keeps its place.
   */
  readonly explain: (problem: Problem) => Problem
}

/** The resources of a template, and the sections on which their values depend. */
interface Declared extends Expanded, Sections {
  readonly Outputs?: unknown
}

/**
 * Reads a template of AWS SAM or CloudFormation, as people write it or as CDK makes it, or a plan of Terraform, as
 * `terraform show -json` prints it. Returns the configuration of a platform that runs what it describes: functions, queues and
 * their event source mappings, user pools, and load balancers in front of functions.
 * @param text the template in YAML or JSON
 * @throws TemplateError for what the template says wrongly, with the place of each problem
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { readTemplate } from '@signalbox/template'
 *
 * const { config, warnings } = readTemplate(await readFile('template.yaml', 'utf8'), {
 *   root: process.cwd(),
 *   template: process.cwd(),
 *   python: () => ['python3'],
 *   keep: () => process.cwd(),
 *   parameters: { Stage: 'test' },
 *   region: 'eu-central-1',
 *   account: '123456789012',
 *   stack: 'shop',
 * })
 * console.log(Object.keys(config.functions ?? {}), warnings)
 * ```
 */
export function readTemplate(text: string, options: TemplateOptions): Template {
  const document = readDocument(text)
  const plan = isPlan(document) ? planOf(document) : undefined
  const mask = maskOf(plan?.secrets ?? secretsIn(partOf(document).Parameters, options.parameters))
  const masked = ({ pointer, expected, actual }: Problem): Problem => ({
    pointer: plan === undefined ? pointer : planPointer(pointer),
    expected: mask(expected),
    actual: mask(actual ?? ''),
  })
  const warnings = collectWarnings()
  const places = optionPlaces(options.beside ?? {})
  try {
    const declared =
      plan === undefined
        ? templateIn(document, options, warnings)
        : planIn(readPlan(plan, options.template, warnings))
    const found = templateOf(declared, options, places, warnings)
    return {
      ...found,
      warnings: warnings.all().map(warning => ({ ...warning, text: mask(warning.text) })),
      explain(problem) {
        const place = places.of(problem.pointer)
        return place === undefined ? problem : masked({ ...problem, pointer: pointerTo(...place) })
      },
    }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new TemplateError(error.problems.map(masked))
  }
}

function partOf(value: unknown): Part {
  return isObject(value) ? value : {}
}

function templateIn(written: unknown, options: TemplateOptions, warnings: Warnings): Declared {
  if (!isObject(written)) throw wrongAt([], 'a template with Resources', kindOf(written))
  const parameter = parametersOf(written.Parameters, options.parameters, options)
  const scope: Scope = {
    parameter,
    mappings: written.Mappings,
    condition: conditionsOf(written.Conditions, () => scope),
    resource: () => undefined,
    count: () => {},
  }
  const document = expandLoops(written, scope) as Part
  if (!isObject(document.Resources)) throw wrongAt(['Resources'], 'an object', kindOf(document.Resources))
  const { Parameters, Conditions, Mappings, Outputs } = document
  return { ...expandSam(document, warnings), Parameters, Conditions, Mappings, Outputs }
}

function planIn({ outputs, ...expanded }: ReturnType<typeof readPlan>): Declared {
  return { ...expanded, Outputs: outputs }
}

const balancing = 'AWS::ElasticLoadBalancingV2'

/** The types of resources that need nothing here, and whose absence nobody notices. */
const harmless =
  /^AWS::(?:IAM|Logs|CDK|KMS|CloudWatch|XRay|EC2)::|^AWS::Lambda::(?:Permission|Alias|Version)$|^AWS::SQS::QueuePolicy$|^AWS::Serverless::Connector$|::LoadBalancer$/

function templateOf(
  declared: Declared,
  options: TemplateOptions,
  places: OptionPlaces,
  warnings: Warnings,
): Omit<Template, 'warnings' | 'explain'> {
  const { beside = {} } = options
  const addresses = addressesIn(beside)
  const location: Location = {
    region: options.region,
    account: options.account,
    queues: addresses.queueListener.url,
    userPools: addresses.userPoolListener.url,
    balancer: id => balancerAddress(id),
  }
  const { scope, resources, absent } = stackOf(
    ...([declared, options.parameters, options, valuesAt(location), warnings] as const),
  )
  const of = (type: string) => resources.filter(resource => resource.type === type)
  const listeners = of(`${balancing}::Listener`)

  /** Returns where the first listener of a load balancer that forwards to functions listens. */
  function balancerAddress(id: string): string | undefined {
    const all = listeners.filter(({ properties }) => properties.refersTo('LoadBalancerArn', id))
    const listener = all.find(forwards) ?? all[0]
    if (listener === undefined) return undefined
    const own = partOf(partOf(beside.loadBalancers)[listener.name]).port
    return `127.0.0.1:${own ?? portOf(listener.properties.number('Port') ?? 80)}`
  }

  const besideFunctions = partOf(beside.functions)
  const functions = Object.fromEntries(
    [...byName(of('AWS::Lambda::Function'), 'FunctionName', functionName)].flatMap(([name, resource]) => {
      const own = besideFunctions[name]
      const hasCode = typeof own === 'string' || 'module' in partOf(own) || 'command' in partOf(own)
      places.add('functions', ['functions', name], resource.properties.place)
      const found = functionOf(resource, location, options, addresses.invoke.url, warnings, hasCode)
      return found === undefined ? [] : [[name, found] as const]
    }),
  )
  const names = new Set([...Object.keys(functions), ...Object.keys(besideFunctions)])
  const mappings = of('AWS::Lambda::EventSourceMapping')
  const queues = queuesOf(of('AWS::SQS::Queue'), mappings, names, places, warnings)
  const eventSettings = eventSettingsOf(
    of('AWS::Lambda::EventInvokeConfig'),
    { functions: names, queues: new Set([...Object.keys(queues), ...Object.keys(partOf(beside.queues))]) },
    places,
    warnings,
  )
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
    places,
    warnings,
  )
  const arnOf = (id: string) => scope.resource(id)!.ref!
  const loadBalancers = loadBalancersOf(
    {
      listeners: listeners.map(resource => ({ ...resource, arn: arnOf(resource.id) })),
      rules: of(`${balancing}::ListenerRule`),
      targetGroups: of(`${balancing}::TargetGroup`).map(resource => ({ arn: arnOf(resource.id), resource })),
      absent,
    },
    names,
    signInPools(userPools, partOf(beside.loadBalancers)),
    places,
    warnings,
  )
  const mail = mailOf(
    {
      rules: of('AWS::SES::ReceiptRule'),
      ruleSets: of('AWS::SES::ReceiptRuleSet'),
      active: declared.activeRuleSets ?? [],
    },
    names,
    partOf(beside.mail),
    places,
    warnings,
  )
  reportRest(resources, declared, warnings)
  const orNothing = <T extends object>(part: T) => (Object.keys(part).length === 0 ? undefined : part)
  const isUsed = (part: object, { port }: { readonly port: number }) =>
    Object.keys(part).length === 0 ? undefined : { port }
  const own = defined({
    region: options.region,
    account: options.account,
    functions,
    queues: orNothing(queues),
    queueListener: isUsed(queues, addresses.queueListener),
    userPools: orNothing(userPools),
    userPoolListener: isUsed(userPools, addresses.userPoolListener),
    loadBalancers: orNothing(loadBalancers),
    mail,
    invoke: defined({ port: addresses.invoke.port, functions: orNothing(eventSettings) }),
  })
  return {
    config: merged(own, beside) as TemplateConfig,
    outputs: outputsOf(declared, scope, warnings),
    names: Object.fromEntries(
      Object.entries({ functions, queues, userPools, loadBalancers }).map(([part, all]) => [
        part,
        Object.keys(all),
      ]),
    ),
  }
}

const handled =
  /^AWS::(?:Lambda::(?:Function|EventSourceMapping|EventInvokeConfig)|SQS::Queue|Cognito::UserPool(?:Client|Domain|Group|ResourceServer|IdentityProvider)?|SES::ReceiptRule(?:Set)?|ElasticLoadBalancingV2::(?:Listener|ListenerRule|TargetGroup))$/

function reportRest(resources: readonly Resource[], { names, types }: Declared, warnings: Warnings): void {
  for (const { id, type, properties } of resources) {
    // What a plan says about them is reported already, with its own names.
    if (names?.has(id)) continue
    if (handled.test(type))
      for (const name of properties.unread()) warnings.ignored(types?.get(id) ?? type, name)
    else if (harmless.test(type) || needless.test(type)) warnings.ignored(type, 'not needed here')
    // An address in a plan has the type.
    else warnings.missing(`${id.includes(type) ? id : `${id} (${type})`} does not run here.`)
  }
}

function outputsOf(
  { Outputs }: Declared,
  scope: Stack['scope'],
  warnings: Warnings,
): { readonly [name: string]: string } {
  const found: { [name: string]: string } = {}
  for (const [name, output] of Object.entries(partOf(Outputs))) {
    const { Value, Condition } = partOf(output)
    try {
      if (Condition !== undefined && !scope.condition(String(Condition))) continue
      const value = evaluate(Value, scope, ['Outputs', name, 'Value'])
      if (['string', 'number', 'boolean'].includes(typeof value)) found[name] = String(value)
    } catch (error) {
      if (!(error instanceof NotHere)) throw error
      warnings.ignored('Outputs', `${name}, which only the cloud knows`)
    }
  }
  return found
}

/**
 * Returns the clients of the pools of a template. A client that a load balancer uses also lets browsers come back to it by the
 * names of this machine, on the port and by the protocol that the configuration beside the template gives the load balancer.
 */
function signInPools(userPools: { readonly [name: string]: Part }, besideBalancers: Part): SignInPools {
  return {
    clientFor(poolArn, clientId, balancer, port) {
      const id = poolArn?.split('/').at(-1)
      const [pool, settings] = Object.entries(userPools).find(([, each]) => each.id === id) ?? []
      const clients = partOf(settings?.clients) as { [name: string]: Part }
      const [client, own] = Object.entries(clients).find(([, each]) => each.id === clientId) ?? []
      if (pool === undefined || client === undefined) return undefined
      const { port: movedTo = port, tls } = partOf(besideBalancers[balancer])
      const here = ['127.0.0.1', 'localhost'].map(
        host => `${tls === undefined ? 'http' : 'https'}://${host}:${movedTo}/oauth2/idpresponse`,
      )
      clients[client] = {
        ...own,
        callbacks: [...new Set([...((own!.callbacks ?? []) as string[]), ...here])],
      }
      return { pool, client }
    },
  }
}
