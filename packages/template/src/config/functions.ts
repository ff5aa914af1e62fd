import { kindOf } from '@signalbox/codec'
import { wrongAt } from '../document/template-error.ts'
import type { Location } from '../resources/resource-names.ts'
import type { Resource } from '../resources/stack.ts'
import type { Warnings } from '../resources/warnings.ts'
import { defined, type Part } from './config.ts'
import { type CodeFolders, codeOf } from './function-code.ts'

/** The default time-out of a function in seconds, which is that of the service. */
const defaultTimeout = 3

/** The default memory of a function in MB, which is that of the service. */
const defaultMemory = 128

/** The default time-out of an execution in seconds: the longest one. */
const defaultExecutionTimeout = 31_622_400

/** The least memory with which Node starts a function here. */
const leastMemory = 64

/**
 * Returns the configuration of a function, or undefined for one that cannot run here.
 * @param hasCode whether the configuration beside the template says how the function runs
 */
export function functionOf(
  resource: Resource,
  location: Location,
  folders: CodeFolders,
  invokeUrl: string,
  warnings: Warnings,
  hasCode: boolean,
): Part | undefined {
  const { id, properties } = resource
  const code = hasCode ? {} : codeOf(resource, folders, warnings)
  const variables = properties.object('Environment')?.object('Variables')
  const given = (variables?.entries() ?? []).map(([name, value]) => {
    if (typeof value === 'object') throw wrongAt([...variables!.place, name], 'a text', kindOf(value))
    return [name, String(value)] as const
  })
  if (properties.has('FunctionUrlConfig')) {
    properties.object('FunctionUrlConfig')?.entries()
    warnings.missing(`${id} has no URL of its own here. A load balancer can call it.`)
  }
  // SAM calls the property of CloudFormation otherwise.
  for (const name of ['DeadLetterConfig', 'DeadLetterQueue'])
    if (properties.object(name)?.entries() !== undefined)
      warnings.missing(
        `${id} sends failed events to no dead-letter queue here. A destination for failures gets them.`,
      )
  const instances = properties.number('ReservedConcurrentExecutions')
  if (instances === 0)
    warnings.missing(`${id} runs here, and in the cloud not: its ReservedConcurrentExecutions are 0.`)
  const durable = properties.object('DurableConfig')
  const tenancy = properties.object('TenancyConfig')?.text('TenantIsolationMode')
  const timeout = properties.number('Timeout') ?? defaultTimeout
  const memory = Math.max(leastMemory, properties.number('MemorySize') ?? defaultMemory)
  if (code === undefined) return undefined
  return defined({
    ...code,
    dialect: 'aws',
    timeout,
    memory,
    instances: instances || undefined,
    tenancy: tenancy === 'PER_TENANT' ? 'isolated' : undefined,
    durable:
      durable &&
      defined({
        timeout: durable.number('ExecutionTimeout') ?? defaultExecutionTimeout,
        retention: durable.number('RetentionPeriodInDays') ?? durable.number('RetentionPeriod'),
      }),
    env: {
      AWS_REGION: location.region,
      AWS_DEFAULT_REGION: location.region,
      AWS_ENDPOINT_URL_SQS: location.queues,
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: location.userPools,
      AWS_ENDPOINT_URL_LAMBDA: invokeUrl,
      // The SDKs sign requests even if nobody checks the signature.
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      ...Object.fromEntries(given),
    },
  })
}
