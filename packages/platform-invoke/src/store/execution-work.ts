import type { NewWork } from '@signalbox/platform-runtime/work'
import type { NewExecution } from './execution.ts'

/** Returns the queue of the calls of a function. */
export const callQueue = (functionName: string): string => `call ${functionName}`

/** Returns the work of an execution. */
export const executionWork = ({ functionName, id }: Pick<NewExecution, 'functionName' | 'id'>): NewWork => ({
  queue: functionName,
  key: id,
  data: '',
})

/** Returns the work that calls a function for an operation. Its owner is the execution, and its data the operation. */
export const callWork = (execution: string, functionName: string, operation: string): NewWork => ({
  ...{ queue: callQueue(functionName), key: `${execution} ${operation}`, owner: execution, data: operation },
})
