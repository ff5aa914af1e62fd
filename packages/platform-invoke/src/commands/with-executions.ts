import { systemClock } from '@signalbox/core/base'
import { systemRandom } from '@signalbox/platform-runtime'
import { readOperatorKey } from '@signalbox/platform-runtime/access'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import { sendToOwn } from '@signalbox/platform-runtime/listener'
import {
  DataDirectoryInUseError,
  dataDirectory,
  openForReading,
  readHolder,
} from '@signalbox/platform-runtime/storage'
import { invokePart } from '../config/invoke-part.ts'
import { executionArn } from '../executions/execution-arn.ts'
import { type Executions, openExecutions } from '../executions/executions.ts'
import type { ErrorObject, Execution } from '../store/execution.ts'
import { type ExecutionStore, executionStorage } from '../store/execution-store.ts'
import { executionReader, localExecutions } from '../store/sqlite/local-executions.ts'

/** What commands read of executions. */
type ExecutionReader = Pick<ExecutionStore, 'read' | 'list' | 'history'>

/** What commands do with executions. */
interface ExecutionChanges {
  readonly stop: (execution: Execution, error: ErrorObject | undefined) => Promise<void>
  readonly endCallback: Executions['endCallback']
}

/** The durable functions of a configuration, and their executions. */
export interface Project {
  readonly functions: readonly string[]
  /** Reads the storage, also while a platform uses it. */
  readonly read: <T>(work: (reader: ExecutionReader) => Promise<T>) => Promise<T>
  /** Changes executions, through the platform if it is running. */
  readonly change: (work: (changes: ExecutionChanges) => Promise<void>) => Promise<void>
}

/**
 * Reads the configuration of a command.
 * @throws Error when the configuration has no durable functions, or keeps their executions in memory
 */
export async function projectOf(config: string | undefined, terminal: CommandContext): Promise<Project> {
  const { settings } = await terminal.project(config)
  const { dataDir, storage } = settings
  const invoke = settings.of(invokePart)
  const functions = (invoke?.functions ?? []).filter(({ durable }) => durable !== undefined)
  if (invoke === undefined || functions.length === 0)
    throw new Error('This configuration has no durable function. Set durable of a function.')
  if (dataDir === undefined && storage === undefined)
    throw new Error('This configuration keeps its executions in memory. Set dataDir to keep them on disk.')
  const names = functions.map(({ functionName }) => functionName)
  const context = {
    ...{ clock: systemClock, machineClock: systemClock, random: systemRandom, notice: terminal.printError },
    dispatch: () => Promise.reject(new Error('A command calls no function.')),
    services: {},
  }
  const changesOf = async (store: ExecutionStore, work: (changes: ExecutionChanges) => Promise<void>) => {
    const executions = openExecutions([], store, context, true)
    try {
      await work({
        stop: async ({ id }, error) => void (await executions.stopExecution(id, error)),
        endCallback: executions.endCallback,
      })
    } finally {
      await executions.stop(0)
      await executions.close()
    }
  }

  if (storage !== undefined) {
    const withStore = async <T>(work: (store: ExecutionStore) => Promise<T>): Promise<T> => {
      const engine = await storage({ clock: undefined, notice: terminal.printError })
      try {
        return await work(await engine.opener(executionStorage)())
      } finally {
        await engine.close()
      }
    }
    return { functions: names, read: withStore, change: work => withStore(store => changesOf(store, work)) }
  }

  return {
    functions: names,
    async read(work) {
      const database = openForReading(dataDir!, 'executions')
      if (database === undefined) return work(emptyReader)
      try {
        return await work(executionReader(database))
      } finally {
        database.close()
      }
    },
    async change(work) {
      const directory = dataDirectory(dataDir)
      try {
        directory.lock()
      } catch (error) {
        const url = readHolder(dataDir!)?.urls.invoke
        if (!(error instanceof DataDirectoryInUseError) || url === undefined) throw error
        return work(overHttp(url))
      }
      try {
        await changesOf(localExecutions(directory.open('executions'), systemClock.now()), work)
      } finally {
        directory.release()
      }
    },
  }

  /** Changes executions of the platform that is running. */
  function overHttp(url: string): ExecutionChanges {
    const key = readOperatorKey(dataDir!)
    const headers = {
      host: new URL(url).host,
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key.accessKeyId}.${key.secretAccessKey}` }),
    }
    const post = async (path: string, body: string) => {
      const { status, text } = await sendToOwn(
        `${url}/2025-12-01/${path}`,
        headers,
        Buffer.from(body),
        invoke!.tls,
      )
      if (status !== 200) throw new Error(String((JSON.parse(text) as { readonly Message?: string }).Message))
    }
    return {
      stop: (execution, error) =>
        post(
          `durable-executions/${encodeURIComponent(executionArn(execution, invoke!.location))}/stop`,
          error === undefined ? '' : JSON.stringify(error),
        ),
      endCallback(id, how) {
        const path = `durable-execution-callbacks/${encodeURIComponent(id)}`
        if (how === 'heartbeat') return post(`${path}/heartbeat`, '')
        return 'error' in how
          ? post(`${path}/fail`, JSON.stringify(how.error))
          : post(`${path}/succeed`, how.payload ?? '')
      },
    }
  }
}

const emptyReader: ExecutionReader = {
  read: async () => undefined,
  list: async () => [],
  history: async () => ({ events: [], hasMore: false }),
}
