import type { Location } from '../resources/resource-names.ts'
import type { Resource } from '../resources/stack.ts'
import type { Warnings } from '../resources/warnings.ts'
import { defined, type Part } from './config.ts'
import { type CodeFolders, codeOf } from './function-code.ts'

/** The default time-out of a function in seconds, which is that of the service. */
const defaultTimeout = 3

/** The default memory of a function in MB, which is that of the service. */
const defaultMemory = 128

/** The least memory with which Node starts a function here. */
const leastMemory = 64

/** Returns the configuration of a function, or undefined for one that cannot run here. */
export function functionOf(
  resource: Resource,
  location: Location,
  folders: CodeFolders,
  invokeUrl: string,
  warnings: Warnings,
): Part | undefined {
  const { properties } = resource
  const code = codeOf(resource, folders, warnings)
  const given = properties.object('Environment')?.object('Variables')?.entries() ?? []
  const tenancy = properties.object('TenancyConfig')?.text('TenantIsolationMode')
  const timeout = properties.number('Timeout') ?? defaultTimeout
  const memory = Math.max(leastMemory, properties.number('MemorySize') ?? defaultMemory)
  if (code === undefined) return undefined
  return defined({
    ...code,
    dialect: 'aws',
    timeout,
    memory,
    instances: properties.number('ReservedConcurrentExecutions') || undefined,
    tenancy: tenancy === 'PER_TENANT' ? 'isolated' : undefined,
    env: {
      AWS_REGION: location.region,
      AWS_DEFAULT_REGION: location.region,
      AWS_ENDPOINT_URL_SQS: location.queues,
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: location.userPools,
      AWS_ENDPOINT_URL_LAMBDA: invokeUrl,
      // The SDKs sign requests even if nobody checks the signature.
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    },
  })
}
