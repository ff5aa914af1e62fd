import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { systemRandom } from '@signalbox/platform-runtime'
import { accessLogRecords, accessRecords } from '@signalbox/platform-runtime/access'
import {
  type CommandContext,
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { invocationRecords } from '@signalbox/platform-runtime/invocation-log'
import { masterKey } from '@signalbox/platform-runtime/secrets'
import {
  type Begun,
  begunCopy,
  copyRecords,
  type DataDirectory,
  dataDirectory,
  type StorageEngine,
  type Transfer,
  type TransferableStore,
} from '@signalbox/platform-runtime/storage'
import { program } from '../source-modules.ts'

const sides = ['files', 'database'] as const
type Side = (typeof sides)[number]

/** Copies all data between the files of a data directory and a database. */
export const storageCopy = defineCommand({
  name: 'storage copy',
  summary: 'Copy all data from files to a database, or back',
  usage: 'FROM TO [--config FILE]',
  details: `FROM and TO are "files" and "database": the files in dataDir, and the database under the key storage. Stop all platforms
first; none can start during the copy, nor on the target before the copy is complete. The target must be empty, or have been
filled by an earlier copy that was stopped or killed: the copy continues after it. The numbers and digests of all records on both sides are compared. The records of
every source, the access keys, the access log and the invocation log are copied. Secrets stay encrypted, so both sides need
the same keys, which a platform with a database reads from its environment variables.`,
  examples: [
    ['signalbox storage copy files database', 'moves a platform to PostgreSQL'],
    ['signalbox storage copy database files', 'moves it back'],
  ],
  options: { config: configOption },
  async run({ config }, operands, terminal) {
    refuseOperands('storage copy', operands, 2)
    const [from, to] = operands as readonly Side[]
    if (!sides.includes(from!) || !sides.includes(to!) || from === to)
      throw new UsageError('storage copy needs a source and a target: files database, or database files.')
    const { settings } = await terminal.project(config)
    if (settings.storage === undefined)
      throw new Error('This configuration names no database. Add the key `storage`, and keep `dataDir`.')
    if (settings.dataDir === undefined)
      throw new Error(
        'This configuration keeps its data in memory. Set `dataDir` to the folder of the files.',
      )
    if (from === 'files' && !existsSync(settings.dataDir))
      throw new Error(`There is no data in ${settings.dataDir}.`)
    const directory = dataDirectory(settings.dataDir)
    directory.lock({ allowsIncomplete: to === 'files' })
    try {
      const engine = await settings.storage({
        clock: undefined,
        notice: terminal.printError,
        allowsIncomplete: to === 'database',
      })
      try {
        const reservation = await engine.reserve?.()
        const check = async () => {
          await reservation?.check()
          await refuseUse(engine)
        }
        await check()
        const setIncomplete = async (isIncomplete: boolean) => {
          if (to === 'files') directory.setIncomplete(isIncomplete)
          else await reservation?.setIncomplete(isIncomplete)
        }
        const states = { check, setIncomplete }
        return await copyAll(from!, directory, settings.dataDir, engine, terminal, states)
      } finally {
        await engine.close()
      }
    } finally {
      directory.release()
    }
  },
})

async function refuseUse(engine: StorageEngine): Promise<void> {
  const running = ((await engine.platforms?.()) ?? []).filter(({ isAlive }) => isAlive)
  if (running.length > 0)
    throw new Error(
      `Platforms are using the database: ${running.map(({ host, process }) => `${host} (process ${process})`).join(', ')}. Stop them first.`,
    )
}

/** A store that is open on both sides. */
interface OpenedStore {
  readonly store: TransferableStore
  readonly source: Transfer
  readonly target: Transfer
}

/** Functions that check and set the states of both sides. */
interface States {
  /** Throws an error if a platform may have used the database during the copy. */
  readonly check: () => Promise<void>
  /** Sets whether the target holds only a part of the data. */
  readonly setIncomplete: (isIncomplete: boolean) => Promise<void>
}

async function copyAll(
  from: Side,
  directory: DataDirectory,
  dataDir: string,
  engine: StorageEngine,
  context: CommandContext,
  { check, setIncomplete }: States,
): Promise<0 | 130> {
  const loaded = await Promise.all(program.modules.map(module => module.records?.() ?? []))
  // The logs come last, because they may be large and nothing else depends on them.
  const stores = [accessRecords, ...loaded.flat(), invocationRecords, accessLogRecords]
  for (const { secret } of stores) if (secret !== undefined) refuseOtherKey(secret, dataDir)
  const opened: OpenedStore[] = []
  try {
    for (const store of stores) {
      const files = await store.inFiles(directory, context.printError)
      const shared = await store.inEngine(engine).catch(async error => {
        await files.close()
        throw error
      })
      const [source, target] = from === 'files' ? [files, shared] : [shared, files]
      opened.push({ store, source, target })
    }
    const copied = await copyStores(opened, context, () => setIncomplete(true))
    if (copied === undefined) {
      context.print('Stopped. The same command continues the copy.')
      return 130
    }
    await check()
    await setIncomplete(false)
    if (copied === 0)
      throw new Error(
        `${from === 'files' ? dataDir : 'The database'} holds no records, so nothing was copied. Does the configuration name the right one?`,
      )
    context.print('All records were copied, and are the same on both sides.')
    return 0
  } finally {
    for (const { source, target } of opened) {
      await source.close()
      await target.close()
    }
  }
}

/**
 * Returns the number of records, or undefined if the copy was stopped.
 * @param begin is called before the first record is written
 */
async function copyStores(
  opened: readonly OpenedStore[],
  { print, progress, stop }: CommandContext,
  begin: () => Promise<void>,
): Promise<number | undefined> {
  const copies = opened.flatMap(({ store, source, target }) =>
    store.kinds.map(kind => {
      const name = store.kinds.length === 1 ? kind.name : `${store.name}: ${kind.name}`
      const show = (work: string, count: number) => progress?.(`${name}: ${count} ${work} …`)
      return { kind, source, target, name, options: { signal: stop, show } }
    }),
  )
  try {
    // Checks all kinds of records before the first record is written, so that a refused target stays unchanged.
    const begun: Begun[] = []
    for (const { kind, source, target, options } of copies) {
      const found = await begunCopy(kind, source, target, options)
      if (found === undefined) return undefined
      begun.push(found)
    }
    await begin()
    let all = 0
    for (const [index, { kind, source, target, name, options }] of copies.entries()) {
      const result = await copyRecords(kind, source, target, begun[index]!, options)
      if (result.state === 'stopped') return undefined
      all += result.count
      progress?.('')
      if (result.count > 0)
        print(`${name}: ${result.count} copied, digest ${result.digest.slice(0, 16)} on both sides`)
    }
    for (const { target } of opened) await target.finish()
    return all
  } finally {
    progress?.('')
  }
}

/**
 * Throws an error unless the environment variable has the key that encrypted the secrets in the files. No other key can
 * decrypt them.
 */
function refuseOtherKey(
  { variable, folder }: NonNullable<TransferableStore['secret']>,
  dataDir: string,
): void {
  const file = join(dataDir, folder, 'key')
  if (!existsSync(file)) return
  const inFile = masterKey(join(dataDir, folder), undefined, variable, systemRandom)
  const inVariable = process.env[variable]
  if (inVariable === undefined || !masterKey('', inVariable, variable, systemRandom).equals(inFile))
    throw new Error(
      `Secrets in ${join(dataDir, folder)} are encrypted with the key in ${file}. Set the environment variable ${variable} to the contents of this file, for this command and for all platforms that share the database.`,
    )
}
