import { dirname } from 'node:path'
import { isObject } from '@signalbox/codec'
import type { Expanded } from '../resources/expand-sam.ts'
import type { Warnings } from '../resources/warnings.ts'
import { blocksOf } from './blocks.ts'
import { typeOf } from './computed.ts'
import type { Plan, PlannedResource } from './plan.ts'
import { resolverOf } from './resolve.ts'
import { type Attributes, needless, translations } from './translations.ts'

type Table = { readonly [name: string]: unknown }

/** A plan as a template. */
export interface PlanTemplate extends Expanded {
  readonly outputs: Table
}

/**
 * Returns the resources of a plan of Terraform as those of a template, with their addresses as logical ids. Warns about the
 * attributes that are not read.
 * @param folder the folder of the root module
 */
export function readPlan(plan: Plan, folder: string, warnings: Warnings): PlanTemplate {
  const resolver = resolverOf(plan, folder)
  const attributes = new Map<PlannedResource, Table>()
  const of = (resource: PlannedResource): Table => {
    const known = attributes.get(resource)
    if (known !== undefined) return known
    const found = resolver.attributesOf(resource)
    attributes.set(resource, found)
    return found
  }
  const typed = (...types: readonly string[]) =>
    plan.resources.filter(({ type }) => types.includes(typeOf(type)))

  const names = uniqueNames(plan.resources)
  const attachments = typed('aws_lb_target_group_attachment').map(of)
  const redrives = typed('aws_sqs_queue_redrive_policy').map(of)
  const refersTo = (value: unknown, address: string) => isObject(value) && value.Ref === address

  /** Returns the folder of what an archive is made of. */
  function archived(output: unknown): string | undefined {
    const archive = typed('archive_file').find(({ values }) => values.output_path === output)?.values
    if (typeof archive?.source_dir === 'string') return archive.source_dir
    return typeof archive?.source_file === 'string' ? dirname(archive.source_file) : undefined
  }

  function codeOf({ value }: Attributes): unknown {
    const uri = value('image_uri')
    if (uri !== undefined) return { ImageUri: uri }
    const key = value('s3_key')
    const object =
      key !== undefined &&
      typed('aws_s3_object', 'aws_s3_bucket_object').find(({ values }) => values.key === key)
    const file = value('filename') ?? (object ? object.values.source : undefined)
    return archived(file) ?? (typeof file === 'string' ? file : { S3Bucket: value('s3_bucket'), S3Key: key })
  }

  const resources: { [address: string]: Table } = {}
  const ownNames = new Map<string, string>()
  for (const resource of plan.resources) {
    if (resource.mode !== 'managed') continue
    const { address } = resource
    const type = typeOf(resource.type)
    const translation = Object.hasOwn(translations, type) ? translations[type] : undefined
    if (translation === undefined) {
      resources[address] = { Type: type }
      continue
    }
    const reader = attributesIn(address, of(resource))
    const properties = translation.properties(reader.attributes, {
      codeOf,
      targetsOf: group =>
        attachments.filter(each => refersTo(each.target_group_arn, group)).map(each => each.target_id),
      nameOf: each => names.get(each)!,
    })
    const redrive =
      type === 'aws_sqs_queue' ? redrives.find(each => refersTo(each.queue_url, address)) : undefined
    ownNames.set(address, names.get(address)!)
    resources[address] = {
      Type: translation.type,
      Properties: withoutNothing(
        redrive === undefined ? properties : { ...properties, RedrivePolicy: redrive.redrive_policy },
      ),
    }
    if (!needless.test(type))
      for (const name of Object.keys(resource.expressions))
        if (!reader.read.has(name)) warnings.ignored(type, name)
  }
  return {
    resources,
    // What is in no template of this platform is in the cloud.
    isImplied: () => true,
    names: ownNames,
    places: new Map(Object.keys(resources).map(address => [address, [address]])),
    activeRuleSets: typed('aws_ses_active_receipt_rule_set').flatMap(each => {
      const name = of(each).rule_set_name
      return typeof name === 'string' ? name : []
    }),
    outputs: resolver.outputs(),
  }
}

function attributesIn(address: string, values: Table) {
  const read = new Set<string>()
  const value = (name: string): unknown => {
    read.add(name)
    const found = values[name]
    return found === null || found === '' || (Array.isArray(found) && found.length === 0) ? undefined : found
  }
  const blocks = (name: string) => blocksOf(value(name)).map(block => withoutNothing(block) as Table)
  const attributes: Attributes = {
    address,
    value,
    blocks,
    block: name => blocks(name)[0],
    has: name => value(name) !== undefined,
  }
  return { attributes, read }
}

/** Returns a value without what is null or undefined in its objects. */
function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      each === undefined || each === null ? [] : [[name, withoutNothing(each)] as const],
    ),
  )
}

/** Returns short names of resources by their addresses, such as `queues-orders` for `module.queues.aws_sqs_queue.orders`. */
function uniqueNames(resources: readonly PlannedResource[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const { address, module, type, name, key } of resources) {
    const parts = [
      ...module.calls.flatMap(call => [call.name, call.key ?? []].flat()),
      name,
      ...(key === undefined ? [] : [key]),
    ]
    const plain = parts
      .join('-')
      .replaceAll(/[^A-Za-z\d_-]+/g, '-')
      .replace(/^[_-]+/, '')
      .slice(0, 60)
    let found = plain || 'resource'
    for (let at = 2; taken.has(`${type} ${found}`); at++) found = `${plain}-${at}`
    taken.add(`${type} ${found}`)
    names.set(address, found)
  }
  return names
}

/** The attributes whose names differ by more than their spelling from those of properties. */
const attributeNames: { readonly [property: string]: string } = {
  VisibilityTimeout: 'visibility_timeout_seconds',
  MessageRetentionPeriod: 'message_retention_seconds',
  QueueName: 'name',
  ClientName: 'name',
  GroupName: 'name',
  DefaultActions: 'default_action',
  Actions: 'action',
  Conditions: 'condition',
  CallbackURLs: 'callback_urls',
  LogoutURLs: 'logout_urls',
}

/** Returns a pointer with the names of Terraform in place of those of CloudFormation. */
export function planPointer(pointer: string): string {
  return pointer
    .split('/')
    .map((step, at) =>
      at < 2 || !/^[A-Z]/.test(step)
        ? step
        : (attributeNames[step] ?? step.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()),
    )
    .join('/')
}
