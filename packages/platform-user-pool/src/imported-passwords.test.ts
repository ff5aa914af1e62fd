import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { hashSync } from 'bcryptjs'
import { encryptedHash, verifiedImport } from './flows/accounts/imported-passwords.ts'
import { isHashOf } from './hashes/check-hash.ts'
import { readHash } from './hashes/password-hash.ts'
import { everythingIn } from './testing/everything-in.ts'
import { listeningPool } from './testing/listening-pool.ts'
import { signalbox } from './testing/pool-program.ts'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from './testing/pool-setup.ts'

const password = 'Right-7even'
const salt = 'c2FsdHNhbHRzYWx0c2FsdA'
const pbkdf2Key = 'hfX8GcD0koya/5w6ZkDAyjq4XGndyu13Q2QomxIdvb0'

/** Hashes of the password that other programs have made. */
const hashes = {
  'bcrypt, as PHP writes it': '$2y$05$abcdefghijklmnopqrstuuxE8d9bJSqc5XmiGf7LqKS10C8qeASfK',
  'bcrypt, as Supabase writes it': '$2a$05$abcdefghijklmnopqrstuuxE8d9bJSqc5XmiGf7LqKS10C8qeASfK',
  bcrypt: '$2b$05$abcdefghijklmnopqrstuuxE8d9bJSqc5XmiGf7LqKS10C8qeASfK',
  scrypt: `$scrypt$ln=10,r=8,p=1$${salt}$n7G4Py4TQ5JzbsdlS9dW0ioxe4NQzQ7CSWw/JHL9Kx0`,
  argon2id: `$argon2id$v=19$m=1024,t=2,p=1$${salt}$20Ga8JRhmM8V6EqWoLNQUx4OgVxhiIKJOrS7jmOviwU`,
  'pbkdf2-sha256': `$pbkdf2-sha256$i=1000,l=32$${salt}$${pbkdf2Key}`,
  'pbkdf2-sha512': `$pbkdf2-sha512$i=1000$${salt}$chYFp0MGj4/vAcKdpG+BJmtMWuabOVaba57lqGtF/+erJMJkWmTgRJFeux6RVsP8oC13A1yb2swda619y3lXiQ==`,
  'PBKDF2 of passlib': `$pbkdf2-sha256$1000$${salt}$${pbkdf2Key}`,
  'PBKDF2 of Django': `pbkdf2_sha256$1000$saltsaltsaltsalt$${pbkdf2Key}=`,
}

const imported = (name: string, passwordHash: string, more: object = {}) => ({
  id: `00000000-0000-4000-8000-${Buffer.from(name).toString('hex').padStart(12, '0').slice(-12)}`,
  ...{ name, status: 'CONFIRMED', enabled: true, attributes: {}, created: 1, modified: 1 },
  passwordHash,
  ...more,
})

async function setupOf(hash: string, options: Parameters<typeof poolSetup>[0] = {}) {
  const setup = await poolSetup(options)
  const { Results } = await setup.call('ImportUsers', { UserPoolId, Users: [imported('ann', hash)] })
  expect(Results).toEqual([{ Result: 'added' }])
  const stored = async () => (await setup.store.userNamed(UserPoolId, 'ann'))!
  return Object.assign(setup, { stored })
}

const wrong = { type: 'NotAuthorizedException', message: 'Incorrect username or password.' }

describe.each(Object.entries(hashes))('%s', (_name, hash) => {
  it('signs a user in once by the password, and every flow works from then on', async () => {
    await using setup = await setupOf(hash)
    await expect(setup.signIn('ann', 'Wrong-7even')).rejects.toMatchObject(wrong)
    // No flow that proves the password without sending it can work yet.
    await expect((await setup.srp()).respond()).rejects.toMatchObject(wrong)
    const before = (await setup.stored()).password
    expect((await setup.signIn()).AuthenticationResult.AccessToken).toBeDefined()
    expect((await setup.stored()).password).not.toBe(before)
    expect((await (await setup.srp()).respond()).AuthenticationResult.AccessToken).toBeDefined()
    await expect(setup.signIn('ann', 'Wrong-7even')).rejects.toMatchObject(wrong)
    expect((await setup.signIn()).AuthenticationResult.AccessToken).toBeDefined()
  })
})

it('the hash of the reference implementation of Argon2 is one of its password', async () => {
  const hash = readHash(
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  )
  expect(await isHashOf(hash as never, 'password')).toBe(true)
  expect(await isHashOf(hash as never, 'passwort')).toBe(false)
})

it('an imported password can be changed by its user before it was used to sign in', async () => {
  await using setup = await setupOf(hashes.bcrypt, { client: { flows: ['custom', 'password'] } })
  await setup.signIn()
  await using other = await setupOf(hashes.scrypt, { pool: { firstFactors: ['password'] } })
  const { AuthenticationResult } = await other.signIn()
  const { AccessToken } = AuthenticationResult
  await other.call('ChangePassword', {
    AccessToken,
    PreviousPassword: password,
    ProposedPassword: 'Next-7even',
  })
  await expect(other.signIn()).rejects.toMatchObject(wrong)
  expect((await other.signIn('ann', 'Next-7even')).AuthenticationResult).toBeDefined()
})

it('a user who signs in in two places at once gets in in both', async () => {
  await using setup = await setupOf(hashes.scrypt)
  const both = await Promise.all([setup.signIn(), setup.signIn(), setup.signIn()])
  for (const { AuthenticationResult } of both) expect(AuthenticationResult.AccessToken).toBeDefined()
})

it('guesses that are sent at once lock the account', async () => {
  await using setup = await setupOf(hashes.bcrypt)
  const guesses = Array.from({ length: 20 }, (_, at) => setup.signIn('ann', `Wrong-${at}`))
  const messages = (await Promise.allSettled(guesses)).map(
    each => (each as PromiseRejectedResult).reason.message,
  )
  expect(messages.filter(message => message === wrong.message)).toHaveLength(5)
  expect(messages.filter(message => message === 'Password attempts exceeded')).toHaveLength(15)
  await expect(setup.signIn()).rejects.toMatchObject({ message: 'Password attempts exceeded' })
})

it('sign-ins beyond those that may wait for a check are refused for now', async () => {
  await using setup = await poolSetup()
  const names = Array.from({ length: 40 }, (_, at) => `user${at}`)
  await setup.call('ImportUsers', { UserPoolId, Users: names.map(name => imported(name, hashes.bcrypt)) })
  const results = await Promise.allSettled(names.map(name => setup.signIn(name)))
  const types = results.map(each => (each.status === 'fulfilled' ? 'signed in' : each.reason.type))
  expect(types.filter(type => type === 'signed in')).toHaveLength(32)
  expect(types.filter(type => type === 'TooManyRequestsException')).toHaveLength(8)
  expect((await setup.signIn('user39')).AuthenticationResult).toBeDefined()
})

it('an account that was disabled, or has a second factor, keeps to that', async () => {
  await using setup = await poolSetup({ pool: { mfa: { mode: 'optional', by: ['sms'] } } })
  const phone = { attributes: { phone_number: '+15550100', phone_number_verified: 'true' } }
  const Users = [
    imported('ann', hashes.bcrypt, { enabled: false }),
    imported('bob', hashes.bcrypt, { ...phone, factors: { enabled: ['sms'], preferred: 'sms' } }),
  ]
  await setup.call('ImportUsers', { UserPoolId, Users })
  await expect(setup.signIn('ann')).rejects.toMatchObject({ message: 'User is disabled.' })
  expect((await setup.signIn('bob')).ChallengeName).toBe('SMS_MFA')
})

it('a password that is set while a right one replaces the hash is not proved by that', async () => {
  await using setup = await setupOf(hashes.scrypt)
  const { engine, store } = setup
  const change: typeof store.change = async change => {
    const refusal = await store.change(change)
    if (change.users?.length === 1)
      await setup.call('AdminSetUserPassword', { UserPoolId, Username: 'ann', Password: 'Other-7even' })
    return refusal
  }
  let counted = 0
  const meanwhile = { ...engine, store: { ...store, change } }
  const countWrong = async () => void counted++
  const pool = engine.poolOf(UserPoolId)
  expect(await verifiedImport(meanwhile, pool, await setup.stored(), password, countWrong)).toBeUndefined()
  expect(counted).toBe(1)
})

it('an account with a hash that this platform cannot check is not locked by its right password', async () => {
  await using setup = await setupOf(hashes.bcrypt)
  const { engine, store } = setup
  const { revision, ...user } = await setup.stored()
  // Another platform might have imported it.
  const unknown = encryptedHash(engine, engine.poolOf(UserPoolId), user, hashes.bcrypt.replace('05', '14'))
  const users = [{ user: { ...user, password: unknown }, was: revision }]
  expect(await store.change({ pool: UserPoolId, now: setup.clock.now(), users })).toBeUndefined()
  for (let at = 0; at < 7; at++) await expect(setup.signIn()).rejects.toMatchObject(wrong)
  expect(setup.notices).toEqual([
    'The user pool staff has an imported password hash that cannot be checked, so that its user cannot sign in with a password: The cost of bcrypt must be from 4 to 13.',
  ])
})

it.each([
  ['of more than 72 bytes', `Aa-1${'x'.repeat(70)}`, `Aa-1${'x'.repeat(70)}y`],
  ['with a zero byte', 'Right-7\0Right-7', 'Right-7\0Right-7\0Right-7'],
])('a password %s keeps its hash of bcrypt, which other passwords have, too', async (_which, one, other) => {
  await using setup = await setupOf(hashSync(one, 4))
  const before = (await setup.stored()).password
  expect((await setup.signIn('ann', one)).AuthenticationResult).toBeDefined()
  expect((await setup.signIn('ann', other)).AuthenticationResult).toBeDefined()
  expect((await setup.stored()).password).toBe(before)
  await expect(setup.signIn('ann', 'Wrong-7even')).rejects.toMatchObject(wrong)
})

const key = pbkdf2Key
const refused: readonly (readonly [string, string])[] = [
  [
    '$2b$14$abcdefghijklmnopqrstuuxE8d9bJSqc5XmiGf7LqKS10C8qeASfK',
    'The cost of bcrypt must be from 4 to 13.',
  ],
  [
    '$2b$03$abcdefghijklmnopqrstuuxE8d9bJSqc5XmiGf7LqKS10C8qeASfK',
    'The cost of bcrypt must be from 4 to 13.',
  ],
  [`$scrypt$ln=18,r=8,p=1$${salt}$${key}`, 'Scrypt must need at most 128 MiB'],
  [`$scrypt$ln=999,r=8,p=1$${salt}$${key}`, 'Scrypt must need at most 128 MiB'],
  [`$scrypt$ln=17,r=8,p=3$${salt}$${key}`, 'Scrypt must need at most 128 MiB'],
  [`$scrypt$ln=10,r=0,p=1$${salt}$${key}`, 'Scrypt must need at most 128 MiB'],
  [`$scrypt$ln=16,r=1,p=1$${salt}$${key}`, 'Scrypt must have an ln below 16 · r.'],
  [`$argon2id$v=19$m=131073,t=1,p=1$${salt}$${key}`, 'Argon2 must have m'],
  [`$argon2id$v=19$m=131072,t=4,p=1$${salt}$${key}`, 'Argon2 must have m'],
  [`$argon2id$v=19$m=1024,t=0,p=1$${salt}$${key}`, 'Argon2 must have m'],
  [`$argon2id$v=19$m=1024,t=1,p=9$${salt}$${key}`, 'Argon2 must have m'],
  [`$argon2i$v=19$m=1024,t=1,p=1$${salt}$${key}`, 'has no known form'],
  [`$pbkdf2-sha256$i=2000001$${salt}$${key}`, 'PBKDF2 must have 1 to 2000000 iterations.'],
  [`$pbkdf2-sha1$i=1000$${salt}$${key}`, 'has no known form'],
  [`$pbkdf2-sha512$i=2000001$${salt}$${key}`, 'PBKDF2 must have 1 to 2000000 iterations.'],
  [`$pbkdf2-sha256$i=1000$c2FsdA$${key}`, 'must have a salt of 8 to 128 bytes'],
  [`$pbkdf2-sha256$i=1000$${salt}$c2hvcnQ`, 'must have a salt of 8 to 128 bytes'],
  [`$pbkdf2-sha256$i=1000$${salt}$${'A'.repeat(200)}`, 'must have a salt of 8 to 128 bytes'],
  ['5f4dcc3b5aa765d61d8327deb882cf99', 'has no known form'],
  ['', 'has no known form'],
]

it.each(refused)('the hash %s is refused at import', async (hash, problem) => {
  await using setup = await poolSetup()
  const { Results } = await setup.call('ImportUsers', { UserPoolId, Users: [imported('ann', hash)] })
  expect(Results).toEqual([{ Result: 'refused', Message: expect.stringContaining(problem) }])
  if (hash !== '') expect(Results[0].Message).not.toContain(hash)
  expect(await setup.store.userNamed(UserPoolId, 'ann')).toBeUndefined()
})

it('where Node.js has no Argon2, such a hash is refused in words', () => {
  expect(readHash(hashes.argon2id, false)).toBe(
    `Argon2 needs Node.js 24 or later, and this platform runs on ${process.version}.`,
  )
})

it.each(['ln=17,r=8,p=1', 'ln=15,r=1,p=64', 'ln=1,r=8,p=131072'])(
  'scrypt with %s can be checked',
  async used => {
    const hash = readHash(`$scrypt$${used}$${salt}$${key}`)
    expect(await isHashOf(hash as never, password)).toBe(false)
  },
)

it('neither the database nor a refusal has a hash in clear', async () => {
  using folder = temporaryFolder()
  await using running = await listeningPool({}, folder.path)
  const Users = [imported('ann', hashes.argon2id)]
  const answer = await fetch(running.url, {
    method: 'POST',
    headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.ImportUsers' },
    body: JSON.stringify({ UserPoolId, Users }),
  })
  expect(await answer.json()).toEqual({ Results: [{ Result: 'added' }] })
  expect(everythingIn(folder.path)).not.toContain(hashes.argon2id.slice(-20))
})

it('exported users with an imported hash can be imported again', async () => {
  await using setup = await setupOf(hashes.scrypt)
  const { Users } = await setup.call('ExportUsers', { UserPoolId })
  await setup.call('AdminDeleteUser', { UserPoolId, Username: 'ann' })
  expect(await setup.call('ImportUsers', { UserPoolId, Users })).toEqual({ Results: [{ Result: 'added' }] })
  expect((await setup.signIn()).AuthenticationResult).toBeDefined()
})

describe('an import job', () => {
  const job = { UserPoolId, JobName: 'first', CloudWatchLogsRoleArn: 'arn:aws:iam::000000000000:role/logs' }
  const file = [
    'cognito:username,email,email_verified,cognito:password_hash',
    `ann,ann@example.com,true,${hashes.bcrypt}`,
    `bob,,,"${hashes.scrypt}"`,
    'carl,carl@example.com,true,',
  ].join('\n')

  async function run(PasswordHashingAlgorithm?: 'BCRYPT') {
    const running = await listeningPool()
    const client = new CognitoIdentityProvider({
      endpoint: running.url,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
      maxAttempts: 1,
    })
    const { UserImportJob } = await client.createUserImportJob({ ...job, PasswordHashingAlgorithm })
    const { JobId, PreSignedUrl } = UserImportJob!
    await fetch(PreSignedUrl!, { method: 'PUT', body: file })
    await client.startUserImportJob({ UserPoolId, JobId })
    for (;;) {
      const { UserImportJob: ended } = await client.describeUserImportJob({ UserPoolId, JobId })
      if (ended!.Status !== 'InProgress') return { running, client, ended: ended! }
    }
  }

  it('imports the hashes of its one algorithm, and a stock client signs in', async () => {
    const { running, client, ended } = await run('BCRYPT')
    await using _ = running
    expect(ended).toMatchObject({
      PasswordHashingAlgorithm: 'BCRYPT',
      Status: 'Succeeded',
      ImportedUsers: 2,
      FailedUsers: 1,
    })
    const { AuthenticationResult } = await client.initiateAuth({
      ClientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'ann', PASSWORD: password },
    })
    expect(AuthenticationResult?.AccessToken).toBeDefined()
    expect((await client.adminGetUser({ UserPoolId, Username: 'carl' })).UserStatus).toBe('RESET_REQUIRED')
    client.destroy()
  })

  it('without an algorithm refuses the rows with a hash', async () => {
    const { running, client, ended } = await run()
    await using _ = running
    expect(ended).toMatchObject({ ImportedUsers: 1, FailedUsers: 2 })
    client.destroy()
  })
})

it('`users import` takes hashes from CSV files and from lines of JSON, and names those that it refuses', async () => {
  using folder = temporaryFolder()
  const config = `export default ${JSON.stringify({
    functions: {},
    userPools: { staff: { id: UserPoolId, clients: { web: {} } } },
    dataDir: 'data',
  })}`
  writeFileSync(join(folder.path, 'config.mjs'), config)
  await using setup = await listeningPool({}, join(folder.path, 'data'))
  const run = (file: string) =>
    signalbox(folder.path, 'users', 'import', 'staff', file, '--config', 'config.mjs')
  const rows = ['cognito:username,cognito:password_hash', `ann,${hashes.bcrypt}`, 'bob,$1$md5$of-old']
  writeFileSync(join(folder.path, 'users.csv'), rows.join('\n'))
  expect(await run('users.csv')).toMatchObject({
    exitCode: 1,
    printed: '1 added, of whom 0 have to reset their passwords; 0 were there; 1 refused.',
    printedErrors: expect.stringMatching(/^line 3: The password hash has no known form/),
  })
  writeFileSync(join(folder.path, 'users.jsonl'), JSON.stringify(imported('carl', hashes.argon2id)))
  expect(await run('users.jsonl')).toMatchObject({ exitCode: 0, printed: expect.stringMatching(/^1 added/) })
  expect(await setup.platform.userPools.get('staff').users.list()).toMatchObject([
    { name: 'ann', status: 'CONFIRMED' },
    { name: 'carl', status: 'CONFIRMED' },
  ])
})
