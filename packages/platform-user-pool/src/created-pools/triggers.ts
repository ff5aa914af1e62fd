import { isObject } from '@signalbox/platform-runtime/config'
import { type Source, sourcesOf } from '@signalbox/user-pool/contract'
import type { TriggerSettings } from '../config/user-pool-settings.ts'
import type { CreatedPool } from './created-pool.ts'

/** Maps trigger names in the API to the names in the contract if they differ. */
const triggerNames: { readonly [name: string]: string } = {
  PreTokenGeneration: 'TokenGeneration',
  PreTokenGenerationConfig: 'TokenGeneration',
}

const versions: { readonly [name: string]: TriggerSettings['version'] } = {
  V1_0: '1',
  V2_0: '2',
  V3_0: '3',
}

/** Returns the names of the functions that a `LambdaConfig` refers to. */
export function functionsOf(requested: CreatedPool['requested']['LambdaConfig']): readonly string[] {
  return [...new Set([...triggersOf(requested ?? {}).values()].map(({ functionName }) => functionName))]
}

/** Returns the functions that a pool calls, by trigger source. */
export function triggersOf(
  requested: NonNullable<CreatedPool['requested']['LambdaConfig']>,
): ReadonlyMap<Source, TriggerSettings> {
  return new Map(
    Object.entries(requested).flatMap(([name, callee]) => {
      const { LambdaArn, LambdaVersion } = (isObject(callee) ? callee : { LambdaArn: callee }) as {
        readonly LambdaArn?: unknown
        readonly LambdaVersion?: unknown
      }
      if (typeof LambdaArn !== 'string') return []
      const version = versions[String(LambdaVersion)] ?? '1'
      return sourcesOf(triggerNames[name] ?? name).map(
        source => [source, { functionName: functionNameOf(LambdaArn), version }] as const,
      )
    }),
  )
}

/** Returns the function name from an ARN. A plain name stays unchanged. */
function functionNameOf(arn: string): string {
  return /^arn:[^:]+:lambda:[^:]*:[^:]*:function:([^:]+)/.exec(arn)?.[1] ?? arn
}
