import type { SourceContext } from '@signalbox/platform-runtime'
import {
  deniedMessage,
  knownSource,
  type Source,
  type TriggerResponse,
  type TriggerVerdict,
  triggerAttempts,
  triggerTimeout,
  triggerVerdict,
} from '@signalbox/user-pool/contract'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { CallTrigger } from '../../context/engine-context.ts'
import { triggerConclusion } from '../../trigger-family.ts'
import { UserPoolError } from '../../user-pool-error.ts'

/** Returns whether a pool has a function for a trigger source. */
export function hasTrigger({ triggers }: PoolSettings, source: Source): boolean {
  return triggers.has(source)
}

/**
 * Returns the function that calls triggers. Its calls go through the platform's dispatch, so they appear in the
 * invocation log.
 */
export function triggerCaller({ dispatch }: Pick<SourceContext, 'dispatch'>): CallTrigger {
  return async (caller, source, { userName, request }) => {
    const { pool, client, sdk } = caller
    const callee = pool.triggers.get(source)
    if (callee === undefined) return undefined
    const { trigger, row } = knownSource(source)!
    const event = {
      version: callee.version,
      region: pool.region,
      userPoolId: pool.id,
      userName,
      triggerSource: source,
      callerContext: { cloudSdkVersion: sdk, clientId: client?.id ?? adminClient },
      request,
      // Senders have nothing to fill, so their events have no response.
      ...(row.answer !== 'not read' && { response: {} }),
    }
    for (let attempt = 1, requestId: string | undefined; ; attempt++) {
      const invoked = await dispatch<TriggerVerdict>({
        functionName: callee.functionName,
        event,
        family: 'user-pool',
        source: `user pool ${pool.name}`,
        attempt,
        ...(requestId !== undefined && { requestId }),
        timeLimit: triggerTimeout,
        verdict: payload => triggerVerdict(payload, event),
        describe: verdict => ({ family: 'user-pool', ...triggerConclusion(verdict, source) }),
      })
      const { failure, verdict } = invoked
      if (failure?.kind === 'timeout' && attempt < triggerAttempts) {
        requestId = invoked.requestId
        continue
      }
      if (failure !== undefined && failure.kind !== 'threw') throw unexpected(trigger, failure.kind)
      return responseOf(verdict, trigger) as TriggerResponse<typeof source>
    }
  }
}

/** The client id in trigger events of administrative operations. */
const adminClient = 'CLIENT_ID_NOT_APPLICABLE'

function unexpected(trigger: string, kind: string): UserPoolError {
  const why =
    kind === 'timeout'
      ? 'Socket timeout while invoking Lambda function'
      : `the function is not available (${kind})`
  return new UserPoolError('UnexpectedLambdaException', `${trigger} invocation failed due to error ${why}.`)
}

function responseOf(verdict: TriggerVerdict, trigger: string): TriggerResponse {
  switch (verdict.kind) {
    case 'accepted':
      return verdict.response
    case 'denied':
      throw new UserPoolError('UserLambdaValidationException', deniedMessage(trigger, verdict.message))
    case 'invalid':
      throw new UserPoolError(
        'InvalidLambdaResponseException',
        verdict.problems.some(({ pointer, expected }) => pointer === '' && expected === 'JSON')
          ? 'Invalid lambda function output : Invalid JSON'
          : 'Unrecognizable lambda output',
      )
  }
}
