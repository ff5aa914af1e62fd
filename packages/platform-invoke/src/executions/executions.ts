import { createHash } from 'node:crypto'
import { type ExecutionStart, type OpenContext, randomHex, randomUuid } from '@signalbox/platform-runtime'
import type { Worker } from '@signalbox/platform-runtime/work'
import {
  type ErrorObject,
  type Execution,
  hasEnded,
  type NewExecution,
  type Operation,
} from '../store/execution.ts'
import type { ExecutionChange } from '../store/execution-change.ts'
import type { ChangeResult, ExecutionStore } from '../store/execution-store.ts'
import { callQueue } from '../store/execution-work.ts'
import { applyUpdates, namedCallback, type UpdateContext, withHeartbeat } from './apply-updates.ts'
import { awaitedExecutions, UnknownExecutionError } from './awaited-executions.ts'
import { callRunner } from './call-runner.ts'
import { executedVersion, executionArn } from './execution-arn.ts'
import { executionRunner } from './execution-runner.ts'
import type { CalledFunction, RunnerContext } from './execution-settings.ts'
import { namedFunction } from './function-name.ts'
import type { CheckpointInput } from './inputs.ts'
import { continueDue, endExecution, endFromOutside } from './progress.ts'
import { checkUpdates, InvalidChangeError } from './update-problem.ts'

/** Milliseconds for which a checkpoint that is repeated gets its first answer. */
const repeatable = 15 * 60_000

/** The answer to a checkpoint. */
interface CheckpointAnswer {
  /** The token of the next checkpoint. Undefined when the execution has ended. */
  readonly token: string | undefined
  /** The operations that were changed since the last checkpoint. */
  readonly operations: readonly Operation[]
}

/** Thrown for a callback that is not waited for. */
export class CallbackClosedError extends Error {
  override readonly name = 'CallbackClosedError'
}

/** The executions of the durable functions of a platform. */
export interface Executions {
  /** Starts an execution, or returns the one that has its name, with its own input. */
  readonly start: (
    wanted: Pick<NewExecution, 'functionName' | 'input' | 'tenantId' | 'trace'> & ExecutionStart,
  ) => Promise<{ readonly execution: Execution; readonly input: string | undefined }>
  /** Resolves with an execution once it has ended. Rejects when the signal is aborted. */
  readonly end: (id: string, signal: AbortSignal) => Promise<Execution>
  /**
   * Makes the changes that a function asks for.
   * @throws InvalidChangeError for a token that is not the present one, and for changes that are not possible
   */
  readonly checkpoint: (id: string, input: CheckpointInput) => Promise<CheckpointAnswer>
  /** Ends a callback, or proves that it is still worked on. */
  readonly endCallback: (
    callbackId: string,
    how: { readonly payload?: string | undefined } | { readonly error: ErrorObject } | 'heartbeat',
  ) => Promise<void>
  /** Returns the execution that a callback names. Whether it has the callback is seen when the callback ends. */
  readonly ofCallback: (callbackId: string) => Promise<Execution>
  /** Stops an execution. One that has ended stays as it is. */
  readonly stopExecution: (id: string, error: ErrorObject | undefined) => Promise<Execution>
  /** The reads of the store. */
  readonly store: Pick<ExecutionStore, 'read' | 'operation' | 'operations' | 'history' | 'list'>
  /** Begins to go on with executions. Functions can reach their API from now on. */
  readonly wake: () => void
  /** Removes all executions, if no other platform has a share in them. Whoever waits for one learns that it is gone. */
  readonly clear: () => Promise<void>
  /** Starts no more invocations, and waits up to `grace` milliseconds for those that run. */
  readonly stop: (grace: number) => Promise<void>
  /** Closes the store, after the last request. */
  readonly close: () => Promise<void>
}

/**
 * Opens the executions of the functions of a platform. `wake` goes on with those that were started before.
 * @param isShared whether other platforms work on the same executions
 */
export function openExecutions(
  functions: readonly CalledFunction[],
  store: ExecutionStore,
  context: RunnerContext & Pick<OpenContext, 'machineClock'>,
  isShared: boolean,
): Executions {
  const { clock, machineClock, random } = context
  const known = new Map(functions.map(each => [each.functionName, each]))
  const awaited = awaitedExecutions(store, machineClock, isShared)
  const changed = (execution: Execution) => {
    awaited.changed(execution)
    workers.get(execution.functionName)?.wake()
  }
  const workers = new Map<string, Worker>(
    functions.flatMap(each => {
      const calls = [callQueue(each.functionName), callRunner(each, store, context, changed)] as const
      if (each.durable === undefined) return [calls]
      return [[each.functionName, executionRunner(each, store, context, changed)] as const, calls]
    }),
  )

  const call: UpdateContext['call'] = (draft, operation, { FunctionName, TenantId }, payload) => {
    const { name = '', qualifier = executedVersion } = namedFunction(FunctionName) ?? {}
    const found = qualifier === executedVersion ? known.get(name) : undefined
    const problem = (ErrorType: string, ErrorMessage: string) => ({
      ...{ functionName: name, executionArn: undefined },
      problem: { ErrorType, ErrorMessage },
    })
    if (found === undefined)
      return problem('ResourceNotFoundException', `Function not found: ${FunctionName}`)
    if (found.isIsolated && TenantId === undefined)
      return problem('InvalidParameterValueException', `The function ${name} needs a TenantId.`)
    const parent = { execution: draft.execution.id, operation: operation.id }
    if (found.durable === undefined) {
      draft.calls.push({ ...parent, functionName: name })
      return { functionName: name, executionArn: undefined }
    }
    const id = randomUuid(random)
    const started: NewExecution = {
      ...{ id, functionName: name, name: id, input: payload || '{}', tenantId: TenantId, parent },
      ...{ trace: draft.execution.trace, ...found.durable },
    }
    draft.started.push(started)
    return { functionName: name, executionArn: executionArn(started, found.location) }
  }

  const newId = () => randomHex(random, 24)

  const change = async <T>(
    id: string,
    operations: readonly string[],
    work: (draft: ExecutionChange) => ChangeResult<T>,
  ) => {
    let made: ExecutionChange | undefined
    const noted = (draft: ExecutionChange) => {
      made = draft
      return work(draft)
    }
    const done = await store.change(id, { operations }, noted, clock.now())
    if (done === undefined || made === undefined)
      throw new UnknownExecutionError('The durable execution does not exist.')
    if (made.isUrgent) changed(done.execution)
    for (const { functionName } of made.started) workers.get(functionName)?.wake()
    for (const { functionName } of made.calls) workers.get(callQueue(functionName))?.wake()
    return done
  }

  const unwatch = store.watch(() => {
    for (const worker of workers.values()) worker.wake()
  })
  const start: Executions['start'] = async ({ functionName, name, repeatsFailed = false, ...wanted }) => {
    const id = randomUuid(random)
    const { durable } = known.get(functionName)!
    const { input } = wanted
    for (;;) {
      const execution = await store.start(
        { ...{ id, functionName, name: name ?? id, parent: undefined }, ...wanted, ...durable! },
        clock.now(),
        repeatsFailed,
      )
      changed(execution)
      if (execution.id === id) return { execution, input }
      const first = await store.operation(execution.id, execution.id)
      // Otherwise the execution that had the name was forgotten in between, and the name is free.
      if (first !== undefined) return { execution, input: first.payload }
    }
  }

  return {
    store,
    start,
    end: awaited.end,

    async checkpoint(id, { CheckpointToken, ClientToken, Updates = [] }) {
      checkUpdates(Updates)
      const ids = Updates.flatMap(({ Id, ParentId }) => (ParentId === undefined ? [Id] : [Id, ParentId]))
      const clientToken = ClientToken ?? JSON.stringify(Updates)
      const { execution, operations } = await change(id, ids, draft => {
        const { execution } = draft
        const { checkpoint } = execution
        if (
          checkpoint !== undefined &&
          checkpoint.token === CheckpointToken &&
          checkpoint.clientToken === digest(clientToken) &&
          draft.now - checkpoint.at < repeatable
        )
          return { result: undefined, since: checkpoint.seen }
        if (execution.token !== CheckpointToken) throw new InvalidChangeError('Invalid checkpoint token')
        continueDue(draft)
        if (hasEnded(execution)) throw new InvalidChangeError('Invalid checkpoint token')
        const { seen } = execution
        applyUpdates(draft, Updates, { newId, call })
        execution.checkpoint = {
          ...{ token: CheckpointToken, clientToken: digest(clientToken), at: draft.now, seen },
        }
        if (!hasEnded(execution)) execution.token = newId()
        execution.seen = execution.changes
        return { result: undefined, since: seen }
      })
      return { token: execution.token, operations }
    },

    async ofCallback(callbackId) {
      const named = namedCallback(callbackId)
      const execution = named && (await store.read(named.execution))
      if (execution === undefined) throw new UnknownExecutionError(unknownCallback)
      return execution
    },

    async endCallback(callbackId, how) {
      const named = namedCallback(callbackId)
      if (named === undefined) throw new UnknownExecutionError(unknownCallback)
      await change(named.execution, [named.operation], draft => {
        const isKnown = draft.operation(named.operation)?.callback?.id === callbackId
        if (!isKnown) throw new UnknownExecutionError(unknownCallback)
        continueDue(draft)
        const operation = draft.operation(named.operation)!
        if (hasEnded(draft.execution) || operation.status !== 'STARTED')
          throw new CallbackClosedError('The callback has already ended, or its execution has.')
        if (how === 'heartbeat') {
          if (operation.callback!.heartbeat === undefined)
            throw new InvalidChangeError('The callback has no heartbeat time-out.')
          draft.put(withHeartbeat(operation, draft.now))
        } else if ('error' in how) endFromOutside(draft, operation, 'FAILED', how)
        else endFromOutside(draft, operation, 'SUCCEEDED', how)
        return { result: undefined }
      })
    },

    async stopExecution(id, error) {
      const { execution } = await change(id, [], draft => {
        continueDue(draft)
        if (!hasEnded(draft.execution)) endExecution(draft, 'STOPPED', { error })
        return { result: undefined }
      })
      return execution
    },

    wake() {
      for (const worker of workers.values()) worker.wake()
    },

    async clear() {
      await store.clear?.()
      awaited.lookAll()
    },

    async stop(grace) {
      unwatch()
      await Promise.all([...workers.values()].map(worker => worker.stop(grace)))
      awaited.stop()
    },

    close: store.close,
  }
}

const unknownCallback = 'The callback does not exist.'

const digest = (text: string): string => createHash('sha256').update(text).digest('base64')
