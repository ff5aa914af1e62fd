import { isObject, kindOf } from '@signalbox/codec'
import { merged } from '../document/merge.ts'
import { type Place, wrongAt } from '../document/template-error.ts'
import type { Warnings } from './warnings.ts'

type Table = { readonly [name: string]: unknown }

/** The resources of a template without the functions of SAM. */
export interface Expanded {
  readonly resources: { readonly [logicalId: string]: Table }
  /** Returns whether a name is that of a resource that SAM adds in the cloud. */
  readonly isImplied: (name: string) => boolean
  /** Where the template says the properties of resources that are made of others. */
  readonly places: ReadonlyMap<string, Place>
  /** What the template calls the resources that are made of others. */
  readonly types?: ReadonlyMap<string, string>
  /** The names of resources in a configuration, if these differ from their logical ids. */
  readonly names?: ReadonlyMap<string, string>
  /** The names of the active sets of receipt rules, which only a plan says. */
  readonly activeRuleSets?: readonly string[]
}

/** How the names of resources begin that SAM adds to every template that needs them. */
const impliedByAll = ['ServerlessRestApi', 'ServerlessHttpApi', 'ServerlessDeploymentApplication']

/**
 * Replaces the functions of SAM by functions of CloudFormation, and their events by event source mappings and by triggers of
 * user pools. Other resources of SAM stay.
 */
export function expandSam(template: Table, warnings: Warnings): Expanded {
  const globals = tableOf(tableOf(template.Globals, ['Globals']).Function, ['Globals', 'Function'])
  const resources: { [logicalId: string]: Table } = {}
  const triggers: {
    readonly pool: string
    readonly name: string
    readonly function: string
    readonly at: Place
  }[] = []
  const places = new Map<string, Place>()
  const types = new Map<string, string>()
  const implied = [...impliedByAll]
  for (const [id, each] of Object.entries(tableOf(template.Resources, ['Resources']))) {
    const place = ['Resources', id]
    if (id === 'Fn::Transform' || id.startsWith('Fn::ForEach::')) {
      warnings.missing(`The resources of ${id} do not run here.`)
      continue
    }
    if (!/^[A-Za-z\d]{1,255}$/.test(id)) throw wrongAt(place, 'a logical id of letters and digits', id)
    const resource = tableOf(each, place)
    if (resource.Type !== 'AWS::Serverless::Function') {
      resources[id] = resource
      if (String(resource.Type).startsWith('AWS::Serverless::')) implied.push(id)
      continue
    }
    const properties = tableOf(resource.Properties, [...place, 'Properties'])
    const { CodeUri, InlineCode, ImageUri, Events, EventInvokeConfig, ...rest } = merged(
      globals,
      properties,
      {
        isWhole: isCall,
        joinsLists: true,
      },
    ) as Table
    const Code =
      InlineCode !== undefined
        ? { ZipFile: InlineCode }
        : ImageUri !== undefined
          ? { ImageUri }
          : (CodeUri ?? '.')
    resources[id] = { ...resource, Type: 'AWS::Lambda::Function', Properties: { ...rest, Code } }
    types.set(id, resource.Type)
    for (const name of ['Role', 'Version', 'Alias', 'Url', 'EventInvokeConfig', '.Destination'])
      implied.push(`${id}${name}`)
    if (EventInvokeConfig !== undefined) {
      const name = `${id}EventInvokeConfig`
      const at = [...place, 'Properties', 'EventInvokeConfig']
      places.set(name, at)
      types.set(name, `${resource.Type}: EventInvokeConfig`)
      resources[name] = {
        Type: 'AWS::Lambda::EventInvokeConfig',
        Properties: { ...withoutCall(EventInvokeConfig, at), FunctionName: { Ref: id } },
        ...(resource.Condition !== undefined && { Condition: resource.Condition }),
      }
    }
    const eventsPlace = [...place, 'Properties', 'Events']
    for (const [name, event] of Object.entries(withoutCall(Events, eventsPlace))) {
      const at = [...eventsPlace, name]
      if (!/^[A-Za-z\d]{1,255}$/.test(name)) throw wrongAt(at, 'a name of letters and digits', name)
      const { Type, Properties } = withoutCall(event, at)
      if (typeof Type !== 'string') throw wrongAt([...at, 'Type'], 'a type such as SQS', kindOf(Type))
      implied.push(`${id}${name}`)
      const settings = tableOf(Properties, [...at, 'Properties'])
      if (Type === 'SQS') {
        const { Queue: EventSourceArn, ...others } = settings
        const mapping = { ...others, EventSourceArn, FunctionName: { Ref: id } }
        places.set(`${id}${name}`, [...at, 'Properties'])
        types.set(`${id}${name}`, `${resource.Type}: an event of SQS`)
        resources[`${id}${name}`] = {
          Type: 'AWS::Lambda::EventSourceMapping',
          Properties: mapping,
          ...(resource.Condition !== undefined && { Condition: resource.Condition }),
        }
      } else if (Type === 'Cognito') {
        const pool = isObject(settings.UserPool) ? settings.UserPool.Ref : undefined
        if (typeof pool !== 'string')
          throw wrongAt([...at, 'Properties', 'UserPool'], '!Ref of a user pool', 'another value')
        for (const trigger of [settings.Trigger].flat()) {
          if (typeof trigger !== 'string')
            throw wrongAt([...at, 'Properties', 'Trigger'], 'the name of a trigger', kindOf(trigger))
          triggers.push({ pool, name: trigger, function: id, at })
        }
      } else
        warnings.missing(
          `${id} gets no events of ${name}, because nothing here makes events of the type ${Type}. \`signalbox invoke\` gives it one.`,
        )
    }
  }
  for (const { pool, name, function: id, at } of triggers) {
    const target = resources[pool]
    if (target?.Type !== 'AWS::Cognito::UserPool')
      throw wrongAt([...at, 'Properties', 'UserPool'], 'a user pool of this template', pool)
    const properties = tableOf(target.Properties, ['Resources', pool, 'Properties'])
    const own = withoutCall(properties.LambdaConfig, ['Resources', pool, 'Properties', 'LambdaConfig'])
    const LambdaConfig = { ...own, [name]: { 'Fn::GetAtt': [id, 'Arn'] } }
    resources[pool] = { ...target, Properties: { ...properties, LambdaConfig } }
  }
  return { resources, isImplied: name => implied.some(each => name.startsWith(each)), places, types }
}

function isCall(value: Table): boolean {
  const [first = '', ...rest] = Object.keys(value)
  return rest.length === 0 && (first === 'Ref' || first.startsWith('Fn::'))
}

/** Returns an object of which SAM reads the names, and which therefore cannot be the result of an intrinsic function. */
function withoutCall(value: unknown, place: Place): Table {
  const table = tableOf(value, place)
  if (isCall(table)) throw wrongAt(place, 'an object that SAM can read', Object.keys(table)[0]!)
  return table
}

function tableOf(value: unknown, place: Place): Table {
  if (value === undefined || value === null) return {}
  if (!isObject(value)) throw wrongAt(place, 'an object', kindOf(value))
  return value
}
