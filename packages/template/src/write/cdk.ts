import type { Part } from '../config/config.ts'
import { commented, queuesByFunction } from './sam.ts'
import type { WrittenResource, WrittenStack } from './writing.ts'

/** Returns a program of CDK in TypeScript with one stack, with what is missing in it as comments. */
export function cdkText({ resources, parameters, missing }: WrittenStack): string {
  const polled = queuesByFunction(resources)
  const isBuilt = resources.some(({ metadata }) => metadata !== undefined)
  const hasFunctions = resources.some(({ type }) => type === 'AWS::Lambda::Function')
  const lines = [
    ...Object.entries(parameters).map(
      ([id, { Type, Description, NoEcho }]) =>
        `new CfnParameter(this, ${literal(id)}, ${literal({ type: Type, description: Description, ...(NoEcho && { noEcho: true }) }, 2)})`,
    ),
    ...resources.map(resource =>
      resource.type === 'AWS::Lambda::Function'
        ? functionText(resource, polled.get(resource.id) ?? [])
        : `new CfnResource(this, ${literal(resource.id)}, ${literal({ type: resource.type, properties: resource.properties }, 2)})`,
    ),
  ]
  const names = ['App', 'Stack', ...(lines.some(line => line.includes('Fn.')) ? ['Fn'] : [])]
  if (hasFunctions) names.push('Duration')
  if (lines.some(line => line.includes('CfnResource('))) names.push('CfnResource')
  else if (hasFunctions) names.push('CfnResource')
  if (Object.keys(parameters).length > 0) names.push('CfnParameter')
  return `${commented(missing, '//')}import { ${[...new Set(names)].sort().join(', ')} } from 'aws-cdk-lib'
${polled.size > 0 ? "import { PolicyStatement } from 'aws-cdk-lib/aws-iam'\n" : ''}${hasFunctions ? "import { Code, Function, Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda'\n" : ''}${isBuilt ? "import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs'\n" : ''}import type { Construct } from 'constructs'

export class SignalboxStack extends Stack {
  constructor(scope: Construct, id: string) {
    super(scope, id)
${lines.map(line => `    ${line.replaceAll('\n', '\n  ')}\n`).join('')}  }
}

const app = new App()
new SignalboxStack(app, 'Signalbox')
app.synth()
`
}

/** The properties of a function that the construct has, and those that are added to its resource. */
function functionText({ id, properties, metadata }: WrittenResource, queues: readonly string[]): string {
  const { Code, Handler, Runtime, FunctionName, Timeout, MemorySize, Environment, ...rest } = properties
  const { ReservedConcurrentExecutions, ...overrides } = rest
  const points = metadata && ((metadata.BuildProperties as Part).EntryPoints as readonly string[])
  const variable = `${id.replace(/^[A-Z]/, letter => letter.toLowerCase())}Function`
  const [handler = ''] = String(Handler).split('.').slice(-1)
  const family = /^nodejs/.test(String(Runtime))
    ? 'NODEJS'
    : /^python/.test(String(Runtime))
      ? 'PYTHON'
      : 'OTHER'
  const options = [
    `functionName: ${literal(FunctionName)}`,
    points
      ? `entry: ${literal(`${Code}/${points[0]}`)},\n    handler: ${literal(handler)}`
      : `code: Code.fromAsset(${literal(Code)}),\n    handler: ${literal(Handler)}`,
    `runtime: new Runtime(${literal(Runtime)}, RuntimeFamily.${family})`,
    `timeout: Duration.seconds(${Timeout})`,
    `memorySize: ${MemorySize}`,
    ...(ReservedConcurrentExecutions === undefined
      ? []
      : [`reservedConcurrentExecutions: ${ReservedConcurrentExecutions}`]),
    ...(Environment === undefined ? [] : [`environment: ${literal((Environment as Part).Variables, 4)}`]),
  ]
  const construct = points ? 'NodejsFunction' : 'Function'
  return [
    `const ${variable} = new ${construct}(this, ${literal(`${id}Function`)}, {\n${options.map(option => `    ${option},\n`).join('')}  })`,
    `const ${variable}Resource = ${variable}.node.defaultChild as CfnResource`,
    `${variable}Resource.overrideLogicalId(${literal(id)})`,
    ...Object.entries(overrides).map(
      ([name, value]) => `${variable}Resource.addPropertyOverride(${literal(name)}, ${literal(value, 2)})`,
    ),
    ...queues.map(
      queue =>
        `${variable}.addToRolePolicy(new PolicyStatement({ actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ChangeMessageVisibility'], resources: [${literal({ 'Fn::GetAtt': [queue, 'Arn'] })}] }))`,
    ),
  ].join('\n  ')
}

/** Returns a value as a literal of TypeScript, with the calls of a template as calls of CDK. */
function literal(value: unknown, depth = 0): string {
  const indent = ' '.repeat(depth)
  if (Array.isArray(value)) return `[${value.map(each => literal(each, depth + 2)).join(', ')}]`
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string'
      ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
      : JSON.stringify(value)
  const entries = Object.entries(value)
  const [[name, input] = ['', undefined]] = entries
  if (entries.length === 1 && name === 'Ref') return `Fn.ref(${literal(input)})`
  if (entries.length === 1 && name === 'Fn::GetAtt')
    return `Fn.getAtt(${(input as readonly string[]).map(each => literal(each)).join(', ')})`
  if (entries.length === 0) return '{}'
  const fields = entries.map(([key, each]) => {
    const written = /^[A-Za-z_$][\w$]*$/.test(key) && key !== '__proto__' ? key : `[${literal(key)}]`
    return `${indent}  ${written}: ${literal(each, depth + 2)},\n`
  })
  return `{\n${fields.join('')}${indent}}`
}
