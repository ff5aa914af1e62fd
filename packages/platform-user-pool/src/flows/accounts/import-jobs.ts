import { isSame } from '@signalbox/platform-runtime/secrets'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import type { HashAlgorithm } from '../../hashes/password-hash.ts'
import type { Credential } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { invalidParameter } from '../../users/attributes.ts'
import { apply } from '../apply.ts'
import { headerProblem, importRow, rowIn } from './csv-import.ts'
import { csvRow } from './csv-row.ts'

/** A job that adds the users of a CSV file. Times are milliseconds since the epoch. */
export interface ImportJob {
  readonly id: string
  readonly name: string
  readonly role: string
  /** The algorithm of the password hashes in the file. Undefined if it has none. */
  readonly algorithm?: HashAlgorithm | undefined
  readonly status: 'Created' | 'InProgress' | 'Stopped' | 'Succeeded' | 'Failed'
  readonly created: number
  readonly started?: number
  readonly completed?: number
  readonly imported: number
  /** The number of skipped users, who already existed. */
  readonly skipped: number
  readonly failed: number
  readonly message?: string
}

/** How many milliseconds a job and its file are stored. */
const life = 90 * 24 * 3_600_000
/** The maximum number of import jobs per pool. */
const most = 1000

type Context = Pick<EngineContext, 'store' | 'vault' | 'clock'>

function credentialOf(job: ImportJob): Credential {
  return { kind: 'import', id: job.id, user: '', expires: job.created + life, value: JSON.stringify(job) }
}

function fileId(id: string): string {
  return `file ${id}`
}

/** Returns the jobs of a pool, the latest first. */
export async function importJobs(
  { store, clock }: Context,
  { id }: PoolSettings,
): Promise<readonly ImportJob[]> {
  const all = await store.credentialsOf(id, '', 'import', clock.now())
  return all
    .map(({ value }) => JSON.parse(value) as ImportJob)
    .sort((one, other) => other.created - one.created || (one.id < other.id ? -1 : 1))
}

/**
 * Finds an import job.
 * @throws UserPoolError for an unknown job
 */
export async function importJob(engine: Context, pool: PoolSettings, id: string): Promise<ImportJob> {
  const found = await engine.store.credential(pool.id, 'import', id, engine.clock.now())
  if (found === undefined)
    throw new UserPoolError('ResourceNotFoundException', `The import job ${id} does not exist.`)
  return JSON.parse(found.value) as ImportJob
}

/**
 * Creates an import job, which waits for its file.
 * @throws UserPoolError when the pool has too many jobs
 */
export async function createImportJob(
  engine: EngineContext,
  pool: PoolSettings,
  { name, role, algorithm }: Pick<ImportJob, 'name' | 'role' | 'algorithm'>,
): Promise<ImportJob> {
  if ((await importJobs(engine, pool)).length >= most)
    throw new UserPoolError('LimitExceededException', `A user pool has ${most} import jobs at most.`)
  const now = engine.clock.now()
  const job: ImportJob = {
    id: `import-${Buffer.from(engine.random(8)).toString('hex')}`,
    name,
    role,
    ...(algorithm !== undefined && { algorithm }),
    status: 'Created',
    created: now,
    imported: 0,
    skipped: 0,
    failed: 0,
  }
  await apply(engine, { pool: pool.id, now, adds: [credentialOf(job)] })
  return job
}

/** Returns the upload URL for a job's file. The signature in the URL is the only credential for the upload. */
export function fileAddress(
  engine: Pick<EngineContext, 'vault' | 'issuer'>,
  pool: PoolSettings,
  id: string,
): string {
  const query = new URLSearchParams({ job: id, signature: signatureOf(engine, pool, id) })
  return `${engine.issuer(pool)}/userImport?${query}`
}

/** Returns whether the query of an upload request has a valid signature. */
export function isFileAddress(
  engine: Pick<EngineContext, 'vault'>,
  pool: PoolSettings,
  query: URLSearchParams,
): boolean {
  return isSame(query.get('signature') ?? '', signatureOf(engine, pool, query.get('job') ?? ''))
}

function signatureOf({ vault }: Pick<EngineContext, 'vault'>, pool: PoolSettings, id: string): string {
  return vault.digest(id, `import file ${pool.id}`)
}

/**
 * Stores the file of a job until the job has ended. A second file replaces the first.
 * @throws UserPoolError for an unknown job, for a job that has already started, and for a file that is not UTF-8
 */
export async function receiveFile(
  engine: Context,
  pool: PoolSettings,
  id: string,
  bytes: Uint8Array,
): Promise<void> {
  const job = await importJob(engine, pool, id)
  if (job.status !== 'Created') throw invalidParameter('The import job was started.')
  const value = engine.vault.encrypt(textIn(bytes), `import ${pool.id} ${id}`)
  const file = { kind: 'file' as const, id: fileId(id), user: '', expires: job.created + life, value }
  const needs = [{ kind: 'import' as const, id }]
  await apply(engine, { pool: pool.id, now: engine.clock.now(), needs, puts: [file] })
}

/** @throws UserPoolError for bytes that are not UTF-8, because names would be imported with other letters */
function textIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidParameter('The CSV file is not UTF-8.')
  }
}

/**
 * Starts a job, which continues in the background.
 * @throws UserPoolError for an unknown job, a job without a file, and a job that has already started
 */
export async function startImportJob(
  engine: EngineContext,
  pool: PoolSettings,
  id: string,
): Promise<ImportJob> {
  const job = await importJob(engine, pool, id)
  const now = engine.clock.now()
  if (job.status !== 'Created') throw invalidParameter(`The import job has the status ${job.status}.`)
  const file = await engine.store.credential(pool.id, 'file', fileId(id), now)
  if (file === undefined) throw invalidParameter('The import job has no file. Send it to PreSignedUrl first.')
  const started: ImportJob = { ...job, status: 'InProgress', started: now }
  await replaced(engine, pool, job, started)
  engine.background(run(engine, pool, started))
  return started
}

/**
 * Stops a job after the row that it is importing.
 * @throws UserPoolError for an unknown job, and for a job that is not running
 */
export async function stopImportJob(
  engine: EngineContext,
  pool: PoolSettings,
  id: string,
): Promise<ImportJob> {
  for (;;) {
    const job = await importJob(engine, pool, id)
    if (job.status !== 'InProgress') throw invalidParameter(`The import job has the status ${job.status}.`)
    const stopped: ImportJob = { ...job, status: 'Stopped', completed: engine.clock.now() }
    if (await replace(engine, pool, job, stopped)) return stopped
  }
}

/** Resumes the jobs that were running when the platform stopped. Users who were already added are skipped. */
export async function resumeImportJobs(engine: EngineContext, pool: PoolSettings): Promise<void> {
  for (const job of await importJobs(engine, pool))
    if (job.status === 'InProgress') engine.background(run(engine, pool, job))
}

const resultCounts = { added: 'imported', reset: 'imported', there: 'skipped', refused: 'failed' } as const

async function run(engine: EngineContext, pool: PoolSettings, begun: ImportJob): Promise<void> {
  const { store, vault, clock } = engine
  const file = await store.credential(pool.id, 'file', fileId(begun.id), clock.now())
  const text = file && vault.decrypt(file.value, `import ${pool.id} ${begun.id}`)
  const [first = '', ...lines] = (text ?? '').replace(/^\uFEFF/, '').split(/\r?\n/)
  const header = csvRow(first)
  let job = begun
  const problem = headerProblem(header)
  for (const line of problem === undefined ? lines : []) {
    if (line.trim() === '') continue
    const row = rowIn(header!, line)
    const { Result } =
      typeof row === 'string'
        ? { Result: 'refused' as const }
        : await importRow(engine, pool, row, begun.algorithm ?? 'none')
    const count = resultCounts[Result]
    const next: ImportJob = { ...job, [count]: job[count] + 1 }
    // The replacement fails if the job was stopped in the meantime.
    if (!(await replace(engine, pool, job, next))) return
    job = next
  }
  const message = problem
    ? { message: `The first line of the CSV file ${problem}` }
    : job.failed > 0 && { message: `${job.failed} rows were refused.` }
  const ended: ImportJob = {
    ...job,
    status: problem ? 'Failed' : 'Succeeded',
    completed: clock.now(),
    ...message,
  }
  await replace(engine, pool, job, ended)
}

/** Replaces the state of a job, unless it has changed in the meantime. Removes the file if the job has ended. */
async function replace(
  { store, clock }: Context,
  { id: pool }: PoolSettings,
  was: ImportJob,
  job: ImportJob,
): Promise<boolean> {
  const refusal = await store.change({
    pool,
    now: clock.now(),
    uses: [{ kind: 'import', id: job.id, value: JSON.stringify(was) }],
    puts: [credentialOf(job)],
    ends: job.completed === undefined ? [] : [{ kind: 'file', id: fileId(job.id) }],
  })
  return refusal === undefined
}

async function replaced(engine: Context, pool: PoolSettings, was: ImportJob, job: ImportJob): Promise<void> {
  if (!(await replace(engine, pool, was, job))) throw invalidParameter('The import job was started.')
}
