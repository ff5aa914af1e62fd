import { posix } from 'node:path'
import { defined, type Part } from '../config/config.ts'
import { listOf, partOf } from './values.ts'
import type { Writing } from './writing.ts'

/** The runtimes that the cloud has for functions of this platform. */
const runtimes = { node: 'nodejs24.x', python: 'python3.13', own: 'provided.al2023' }

/** The variables that functions have from the service, and those with which they find this platform. */
const ownVariables =
  /^AWS_(?:REGION|DEFAULT_REGION|ENDPOINT_URL(?:_.*)?|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)$/

/** The defaults of the platform, which the service does not share. */
const platformDefaults = { timeout: 10, memory: 256 }

/** Writes functions, and returns the names of those that a template can have. */
export function writeFunctions(
  functions: readonly (readonly [string, unknown])[],
  writing: Writing,
): readonly string[] {
  return functions.filter(([name, value]) => writeFunction(name, value, writing)).map(([name]) => name)
}

function writeFunction(name: string, value: unknown, writing: Writing): boolean {
  const place = `functions.${name}`
  const {
    module,
    export: exported,
    command,
    cwd,
    timeout,
    memory,
    instances,
    tenancy,
    durable,
    env,
    dialect,
    ...rest
  } = typeof value === 'string' ? ({ module: value } as Part) : partOf(value)
  const code = codeOf({ module, command, cwd, exported })
  if (code === undefined) {
    writing.missing(place, 'only code in a folder can be deployed')
    return false
  }
  if (dialect !== 'aws') writing.missing(`${place}.dialect`, 'the cloud sends the events of the dialect aws')
  writing.rest(place, rest)
  const variables = Object.entries(partOf(env)).filter(([variable]) => !ownVariables.test(variable))
  writing.add({
    id: writing.idOf('functions', name),
    type: 'AWS::Lambda::Function',
    properties: defined({
      FunctionName: name,
      ...code.properties,
      Timeout: Math.max(1, Math.ceil(Number(timeout ?? platformDefaults.timeout))),
      MemorySize: Math.max(128, Number(memory ?? platformDefaults.memory)),
      ReservedConcurrentExecutions: instances,
      DurableConfig:
        durable === undefined
          ? undefined
          : defined({
              ExecutionTimeout: partOf(durable).timeout,
              RetentionPeriodInDays: partOf(durable).retention,
            }),
      TenancyConfig: tenancy === 'isolated' ? { TenantIsolationMode: 'PER_TENANT' } : undefined,
      Environment: variables.length === 0 ? undefined : { Variables: Object.fromEntries(variables) },
    }),
    metadata: code.metadata,
  })
  return true
}

/** Returns the code of a function, its handler and its runtime, or undefined for one that runs otherwise. */
function codeOf({
  module,
  command,
  cwd = '.',
  exported,
}: Part): { properties: Part; metadata?: Part } | undefined {
  if (typeof module === 'string') {
    const { dir, name, ext } = posix.parse(module)
    const Handler = `${name}.${exported ?? 'handler'}`
    return {
      properties: { Code: dir || '.', Handler, Runtime: runtimes.node },
      // The cloud runs no TypeScript: SAM builds it.
      ...(/^\.[cm]?ts$/.test(ext) && {
        metadata: {
          BuildMethod: 'esbuild',
          BuildProperties: { Format: 'esm', OutExtension: ['.js=.mjs'], EntryPoints: [`${name}${ext}`] },
        },
      }),
    }
  }
  const [program] = listOf(command)
  if (program === './bootstrap' || program === 'bootstrap')
    return { properties: { Code: cwd, Handler: exported ?? 'bootstrap', Runtime: runtimes.own } }
  if (typeof program === 'string' && /^python3?$/.test(program) && exported !== undefined)
    return { properties: { Code: cwd, Handler: exported, Runtime: runtimes.python } }
  return undefined
}
