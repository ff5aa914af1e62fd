import { functionArn, type Location } from '@signalbox/platform-runtime'
import type { NewExecution } from '../store/execution.ts'

/** The only version that a function of the platform has. */
export const executedVersion = '$LATEST'

/** Returns the ARN of an execution. */
export const executionArn = (
  { functionName, name, id }: Pick<NewExecution, 'functionName' | 'name' | 'id'>,
  location: Location,
): string => `${functionArn(functionName, location)}:${executedVersion}/durable-execution/${name}/${id}`

/** Returns the execution that an ARN names, and its function. Returns undefined for any other text. */
export function namedExecution(
  arn: string,
): { readonly functionName: string; readonly id: string } | undefined {
  const [, functionName, id] =
    /^arn:[\w-]*:lambda:[^:]*:\d*:function:([\w-]+):[\w$-]+\/durable-execution\/[^/]+\/([\w-]+)$/.exec(arn) ??
    []
  return functionName === undefined ? undefined : { functionName, id: id! }
}

/** Returns the id of the execution that an ARN names. Returns undefined for any other text. */
export const executionIdOf = (arn: string): string | undefined => namedExecution(arn)?.id
