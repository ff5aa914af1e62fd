import * as t from 'io-ts'
import type { PoolSettings } from '../../../config/user-pool-settings.ts'
import type { Engine } from '../../../engine.ts'
import { csvHeader } from '../../../flows/accounts/csv-import.ts'
import {
  createImportJob,
  fileAddress,
  type ImportJob,
  importJob,
  importJobs,
  isFileAddress,
  receiveFile,
  startImportJob,
  stopImportJob,
} from '../../../flows/accounts/import-jobs.ts'
import type { WebAnswer } from '../../../oidc/web.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { fields, wholeNumber } from '../../wire/inputs.ts'
import { page } from '../../wire/page.ts'
import { seconds } from '../../wire/wire-user.ts'
import { admin, type Operations } from '../operation.ts'

const pool = { UserPoolId: t.string }
const job = { ...pool, JobId: t.string }

/** Operations that import users from CSV files. */
export const userImportOperations: Operations = {
  GetCSVHeader: admin(fields(pool, {}), async (engine, { UserPoolId }) => ({
    UserPoolId,
    CSVHeader: csvHeader(engine.poolOf(UserPoolId)),
  })),

  CreateUserImportJob: admin(
    fields(
      { ...pool, JobName: t.string, CloudWatchLogsRoleArn: t.string },
      { PasswordHashingAlgorithm: t.keyof({ BCRYPT: 0, SCRYPT: 0, ARGON2ID: 0, PBKDF2_SHA256: 0 }) },
    ),
    async (engine, { UserPoolId, JobName: name, CloudWatchLogsRoleArn: role, ...more }) => {
      const found = engine.poolOf(UserPoolId)
      const created = await createImportJob(engine, found, {
        ...{ name, role, algorithm: more.PasswordHashingAlgorithm },
      })
      return { UserImportJob: wireJob(engine, found, created) }
    },
  ),

  DescribeUserImportJob: admin(fields(job, {}), async (engine, { UserPoolId, JobId }) => {
    const found = engine.poolOf(UserPoolId)
    return { UserImportJob: wireJob(engine, found, await importJob(engine, found, JobId)) }
  }),

  ListUserImportJobs: admin(
    fields({ ...pool, MaxResults: wholeNumber(1, 60) }, { PaginationToken: t.string }),
    async (engine, { UserPoolId, MaxResults: Limit, PaginationToken: NextToken }) => {
      const found = engine.poolOf(UserPoolId)
      const { items, next } = page(await importJobs(engine, found), { Limit, NextToken }, each => each.id)
      return {
        UserImportJobs: items.map(each => wireJob(engine, found, each)),
        ...(next.NextToken !== undefined && { PaginationToken: next.NextToken }),
      }
    },
  ),

  StartUserImportJob: admin(fields(job, {}), async (engine, { UserPoolId, JobId }) => {
    const found = engine.poolOf(UserPoolId)
    return { UserImportJob: wireJob(engine, found, await startImportJob(engine, found, JobId)) }
  }),

  StopUserImportJob: admin(fields(job, {}), async (engine, { UserPoolId, JobId }) => {
    const found = engine.poolOf(UserPoolId)
    return { UserImportJob: wireJob(engine, found, await stopImportJob(engine, found, JobId)) }
  }),
}

function wireJob(engine: Engine, pool: PoolSettings, each: ImportJob) {
  const { id, name, role, status, created, started, completed, message } = each
  return {
    JobName: name,
    JobId: id,
    UserPoolId: pool.id,
    ...(status === 'Created' && { PreSignedUrl: fileAddress(engine, pool, id) }),
    CreationDate: seconds(created),
    ...(started !== undefined && { StartDate: seconds(started) }),
    ...(completed !== undefined && { CompletionDate: seconds(completed) }),
    Status: status,
    CloudWatchLogsRoleArn: role,
    ...(each.algorithm !== undefined && { PasswordHashingAlgorithm: each.algorithm }),
    ImportedUsers: each.imported,
    SkippedUsers: each.skipped,
    FailedUsers: each.failed,
    ...(message !== undefined && { CompletionMessage: message }),
  }
}

/**
 * Receives the file of an import job, which clients upload to the job's `PreSignedUrl`.
 * @param body a function that reads the file. It is called only after the signature has been checked.
 */
export async function takeImportFile(
  engine: Engine,
  pool: PoolSettings,
  query: URLSearchParams,
  body: () => Promise<Uint8Array>,
): Promise<WebAnswer> {
  if (!isFileAddress(engine, pool, query))
    throw new UserPoolError('AccessDeniedException', 'The signature of the address is not valid.')
  await receiveFile(engine, pool, query.get('job') ?? '', await body())
  return { status: 200, headers: {}, body: '' }
}
