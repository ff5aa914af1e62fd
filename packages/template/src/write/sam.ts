import { stringify } from 'yaml'
import type { Part } from '../config/config.ts'
import type { WrittenResource, WrittenStack } from './writing.ts'

/** Returns a template of AWS SAM that can be deployed, with what is missing in it as comments. */
export function samText({ resources, parameters, missing }: WrittenStack): string {
  const polled = queuesByFunction(resources)
  const Resources = Object.fromEntries(
    resources.map(({ id, type, properties, metadata }) => {
      const written = { Type: type, ...(metadata && { Metadata: metadata }), Properties: properties }
      if (type !== 'AWS::Lambda::Function') return [id, written]
      const { Code, ...rest } = properties
      const Policies = (polled.get(id) ?? []).map(queue => ({
        SQSPollerPolicy: { QueueName: { 'Fn::GetAtt': [queue, 'QueueName'] } },
      }))
      const own = { CodeUri: Code, ...rest, ...(Policies.length > 0 && { Policies }) }
      return [id, { ...written, Type: 'AWS::Serverless::Function', Properties: own }]
    }),
  )
  const template = {
    AWSTemplateFormatVersion: '2010-09-09',
    Transform: 'AWS::Serverless-2016-10-31',
    ...(Object.keys(parameters).length > 0 && { Parameters: parameters }),
    Resources,
  }
  return `${commented(missing, '#')}${stringify(template, { lineWidth: 0, aliasDuplicateObjects: false })}`
}

/** Returns the queues from which functions get messages, by the logical ids of the functions. */
export function queuesByFunction(
  resources: readonly WrittenResource[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const { type, properties } of resources) {
    if (type !== 'AWS::Lambda::EventSourceMapping') continue
    const [queue, callee] = [properties.EventSourceArn, properties.FunctionName].map(
      each => ((each as Part)['Fn::GetAtt'] as readonly [string])[0],
    )
    found.set(callee!, [...(found.get(callee!) ?? []), queue!])
  }
  return found
}

/** Returns what is missing as comments. */
export function commented(missing: readonly string[], mark: string): string {
  if (missing.length === 0) return ''
  const lines = missing.map(each => `${mark} - ${each.replaceAll(/[\r\n]+/g, ' ')}\n`)
  return `${mark} The configuration has more, which is not in this file:\n${lines.join('')}\n`
}
