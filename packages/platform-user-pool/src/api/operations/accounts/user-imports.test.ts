import { expect, it } from '@jest/globals'
import { listeningPool } from '../../../testing/listening-pool.ts'
import { poolSetup, poolId as UserPoolId } from '../../../testing/pool-setup.ts'

const asked = { UserPoolId, JobName: 'first', CloudWatchLogsRoleArn: 'arn:aws:iam::000000000000:role/logs' }

async function listening() {
  const setup = await listeningPool()
  const call = async (operation: string, input: object) => {
    const answer = await fetch(setup.url, {
      method: 'POST',
      headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` },
      body: JSON.stringify(input),
    })
    // biome-ignore lint/suspicious/noExplicitAny: the answers of several operations
    return (await answer.json()) as any
  }
  return {
    ...setup,
    call,
    created: async () => (await call('CreateUserImportJob', asked)).UserImportJob,
    put: (url: string, body: string | Uint8Array<ArrayBuffer>) => fetch(url, { method: 'PUT', body }),
    /** Waits until a job has ended. */
    async ended(JobId: string) {
      for (;;) {
        const { UserImportJob } = await call('DescribeUserImportJob', { UserPoolId, JobId })
        if (UserImportJob.Status !== 'InProgress') return UserImportJob
      }
    },
    [Symbol.asyncDispose]: () => setup[Symbol.asyncDispose](),
  }
}

const file = [
  'cognito:username,email,email_verified,phone_number_verified',
  'ann,ann@example.com,true,false',
  'bob,bob@example.com,false,false',
  'ann,ann@example.com,true,false',
  'carl,carl@example.com,true',
].join('\r\n')

it('an import job adds the users from its uploaded file, and counts imported, skipped and failed rows', async () => {
  await using setup = await listening()
  const { JobId, PreSignedUrl, ...job } = await setup.created()
  expect(job).toMatchObject({ Status: 'Created', JobName: 'first', ImportedUsers: 0 })
  expect((await setup.put(PreSignedUrl, file)).status).toBe(200)
  const { UserImportJob: started } = await setup.call('StartUserImportJob', { UserPoolId, JobId })
  expect(started).toMatchObject({ Status: 'InProgress', StartDate: expect.any(Number) })
  expect(await setup.ended(JobId)).toMatchObject({
    Status: 'Succeeded',
    ImportedUsers: 1,
    SkippedUsers: 1,
    FailedUsers: 2,
    CompletionMessage: '2 rows were refused.',
  })
  expect(await setup.platform.userPools.get('staff').users.list()).toMatchObject([
    { name: 'ann', status: 'RESET_REQUIRED' },
  ])
  for (const operation of ['StartUserImportJob', 'StopUserImportJob'])
    expect((await setup.call(operation, { UserPoolId, JobId })).message).toContain('status Succeeded')
  expect((await setup.put(PreSignedUrl, file)).status).toBe(400)
})

it('an import job refuses an upload without a valid signature, and fails if its file has no user names', async () => {
  await using setup = await listening()
  const { JobId, PreSignedUrl } = await setup.created()
  const other = (await setup.created()) as { readonly PreSignedUrl: string }
  const [, signature] = /(signature=.*)$/.exec(other.PreSignedUrl)!
  for (const url of [
    PreSignedUrl.replace(/signature=.*/, signature),
    PreSignedUrl.replace(/&signature=.*/, ''),
  ])
    expect((await setup.put(url, file)).status).toBe(403)
  const without = await setup.call('StartUserImportJob', { UserPoolId, JobId })
  expect(without.message).toContain('no file')
  await setup.put(PreSignedUrl, 'name,email\nann,ann@example.com')
  await setup.call('StartUserImportJob', { UserPoolId, JobId })
  expect(await setup.ended(JobId)).toMatchObject({
    Status: 'Failed',
    CompletionMessage:
      'The first line of the CSV file has no column cognito:username. Its columns are name, email.',
  })
  expect((await setup.call('DescribeUserImportJob', { UserPoolId, JobId: 'none' })).__type).toBe(
    'ResourceNotFoundException',
  )
})

it('an import job refuses a file in another encoding, and fails rows that say something else than they seem to', async () => {
  await using setup = await listening()
  const { JobId, PreSignedUrl } = await setup.created()
  const lines = [
    'cognito:username,name,phone_number,phone_number_verified,cognito:mfa_enabled',
    'ann,M\u00fcller,+491701,true,1',
    'bob,Bob,+491702,true,false',
    'carl,Carl,+491703,true,"fal',
    'se"',
  ]
  const refused = await setup.put(PreSignedUrl, new Uint8Array(Buffer.from(lines.join('\n'), 'latin1')))
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('not UTF-8')])
  await setup.put(PreSignedUrl, lines.join('\n'))
  await setup.call('StartUserImportJob', { UserPoolId, JobId })
  expect(await setup.ended(JobId)).toMatchObject({ ImportedUsers: 1, FailedUsers: 3 })
})

it('import jobs are listed in pages, with the latest job first', async () => {
  await using setup = await poolSetup()
  const ids: string[] = []
  for (let number = 0; number < 3; number++) {
    ids.unshift((await setup.call('CreateUserImportJob', asked)).UserImportJob.JobId)
    await setup.clock.advance(1)
  }
  const listed = async (more: object) => {
    const answer = await setup.call('ListUserImportJobs', { UserPoolId, MaxResults: 2, ...more })
    const found = answer.UserImportJobs as readonly { readonly JobId: string }[]
    return [found.map(({ JobId }) => JobId), answer.PaginationToken]
  }
  const [first, PaginationToken] = await listed({})
  expect([first, await listed({ PaginationToken })]).toEqual([ids.slice(0, 2), [ids.slice(2), undefined]])
})

it('an import job continues after a restart of the platform, and stops on request', async () => {
  await using setup = await poolSetup()
  const { engine } = setup
  const job = async (status: string) => {
    const { UserImportJob } = await setup.call('CreateUserImportJob', asked)
    const pool = engine.poolOf(UserPoolId)
    const { receiveFile } = await import('../../../flows/accounts/import-jobs.ts')
    await receiveFile(engine, pool, UserImportJob.JobId, Buffer.from(file))
    const found = (await engine.store.credential(UserPoolId, 'import', UserImportJob.JobId, 0))!
    const value = JSON.stringify({ ...JSON.parse(found.value), status })
    await engine.store.change({ pool: UserPoolId, now: 0, puts: [{ ...found, value }] })
    return UserImportJob.JobId as string
  }
  // A job stays in this state if the platform is killed.
  const JobId = await job('InProgress')
  await engine.start()
  await engine.settled()
  const { UserImportJob } = await setup.call('DescribeUserImportJob', { UserPoolId, JobId })
  expect(UserImportJob).toMatchObject({ Status: 'Succeeded', ImportedUsers: 1 })
  const second = await job('InProgress')
  await setup.call('StopUserImportJob', { UserPoolId, JobId: second })
  await engine.start()
  await engine.settled()
  const stopped = await setup.call('DescribeUserImportJob', { UserPoolId, JobId: second })
  expect(stopped.UserImportJob).toMatchObject({ Status: 'Stopped', SkippedUsers: 0 })
})
