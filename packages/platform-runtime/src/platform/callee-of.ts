import type { Clock } from '@signalbox/core/base'
import type { Settings } from '../config/settings.ts'
import type { Callee } from '../invocation/dispatch.ts'
import { commandProgram } from '../invoker/command/command-program.ts'
import type { FunctionSettings } from '../invoker/function-settings.ts'
import { inProcessInvoker } from '../invoker/in-process.ts'
import { moduleProgram } from '../invoker/instance/module-process.ts'
import type { Invoker } from '../invoker/invoker.ts'
import { processInvoker } from '../invoker/process-invoker.ts'
import { httpEndpoint } from '../invoker/remote/http-endpoint.ts'
import { lambdaEndpoint } from '../invoker/remote/lambda-endpoint.ts'
import { remoteInvoker } from '../invoker/remote/remote-invoker.ts'

interface CalleeContext {
  readonly inspect: boolean
  readonly platformEnv: { readonly [name: string]: string }
  readonly clock: Clock
  readonly notice: (text: string) => void
  readonly onColdStart: ((requestId: string) => void) | undefined
}

/** Returns a function of the configuration with the invoker for the place where it runs. */
export function calleeOf(
  settings: FunctionSettings,
  { root: folder, secretVariables: withheld, location }: Settings,
  { onColdStart, ...context }: CalleeContext,
): Callee {
  const { code, dialect, ...rest } = settings
  const { clock } = context
  const invoker = (): Invoker => {
    if ('handler' in code) return inProcessInvoker({ ...rest, ...code, clock })
    if ('module' in code || 'command' in code) {
      const program =
        'module' in code
          ? moduleProgram({ ...rest, ...code, ...context, folder, withheld }, rest.concurrency)
          : commandProgram({ ...rest, ...code, ...context, withheld, location })
      const processes = processInvoker({ ...rest, ...context, program })
      return onColdStart === undefined ? processes : reportingColdStarts(processes, onColdStart)
    }
    const endpoint =
      'url' in code
        ? httpEndpoint({ ...rest, ...code, clock })
        : lambdaEndpoint({ ...code.lambda, instances: rest.instances })
    return remoteInvoker({ ...rest, clock }, endpoint)
  }
  return { invoker: invoker(), dialect }
}

function reportingColdStarts(invoker: Invoker, report: (requestId: string) => void): Invoker {
  return {
    ...invoker,
    async invoke(call) {
      const result = await invoker.invoke(call)
      if (result.coldStart) report(call.requestId)
      return result
    },
  }
}
