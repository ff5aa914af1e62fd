import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { listeningPool } from '../testing/listening-pool.ts'
import { signalbox, signalboxStopped } from '../testing/pool-program.ts'
import { config } from '../testing/staff-pool.ts'

it('the command `users import` finds the columns of a CSV file by its header', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'config.mjs'), config)
  const run = (...args: string[]) => signalbox(folder.path, ...args, '--config', 'config.mjs')
  await using setup = await listeningPool({}, join(folder.path, 'data'))
  const lines = [
    '\uFEFFcognito:username,name,email,email_verified',
    'ann,Lee\\, Ann,ann@example.com,TRUE',
    'bob,"Lee, Bob",bob@example.com,FALSE',
  ]
  writeFileSync(join(folder.path, 'users.csv'), lines.join('\r\n'))
  expect(await run('users', 'import', 'staff', 'users.csv')).toMatchObject({
    exitCode: 1,
    printed: '1 added, of whom 1 have to reset their passwords; 0 were there; 1 refused.',
    printedErrors: 'line 3: The user has no verified address to reset the password by.',
  })
  expect(await setup.platform.userPools.get('staff').users.list()).toMatchObject([
    { name: 'ann', status: 'RESET_REQUIRED', attributes: { name: 'Lee, Ann' } },
  ])
  writeFileSync(join(folder.path, 'short.csv'), 'cognito:username,email\nann')
  expect((await run('users', 'import', 'staff', 'short.csv')).printedErrors).toContain(
    'Line 2 has 1 fields, and the header has 2.',
  )
})

it('exported users can be imported more than once', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'config.mjs'), config)
  const run = (...args: string[]) => signalbox(folder.path, ...args, '--config', 'config.mjs')
  const dataDir = join(folder.path, 'data')
  await using setup = await listeningPool({ groups: { admins: {} } }, dataDir)
  const staff = setup.platform.userPools.get('staff')
  await staff.users.add('ann', { password: 'Right-7even', attributes: { email: 'ann@example.com' } })
  await staff.users.add('bob', { password: 'Right-7even' })
  await run('user', 'group', 'staff', 'ann', 'admins')
  const { printed: exported, printedErrors } = await run('users', 'export', 'staff')
  expect(printedErrors).toBe('2 users.')
  expect(exported).not.toContain('7even')
  for (const name of ['ann', 'bob']) await run('user', 'delete', 'staff', name)
  const [ann, bob] = exported.split('\n').map(line => JSON.parse(line))
  const other = { ...bob, id: '00000000-0000-4000-8000-000000000000', name: 'carl', password: ann.password }
  const wrong = { ...bob, id: '00000000-0000-4000-8000-000000000001' }
  writeFileSync(
    join(folder.path, 'users.jsonl'),
    [ann, bob, other, wrong].map(each => JSON.stringify(each)).join('\n'),
  )
  expect(await staff.users.list()).toEqual([])
  expect(await run('users', 'import', 'staff', 'users.jsonl')).toEqual({
    exitCode: 1,
    progress: ['4 users', ''],
    printed: '3 added, of whom 1 have to reset their passwords; 0 were there; 1 refused.',
    printedErrors: 'line 4: An account with the given name already exists.',
  })
  expect(await staff.signIn('ann', 'Right-7even')).toHaveProperty('accessToken')
  expect(JSON.parse((await run('user', 'show', 'staff', 'ann', '--json')).printed)).toMatchObject({
    Groups: ['admins'],
  })
  await expect(staff.signIn('carl', 'Right-7even')).rejects.toThrow()
  expect((await run('users', 'import', 'staff', 'users.jsonl', '--json')).printed).toBe(
    '{"added":0,"there":3,"reset":0,"refused":1}',
  )
  writeFileSync(join(folder.path, 'users.jsonl'), '{"password": "Right-7even"')
  const broken = await run('users', 'import', 'staff', 'users.jsonl')
  expect(broken.printedErrors).toContain('Line 1 is not a user as `users export` prints it')
  expect(broken.printedErrors).not.toContain('7even')
})

it('`users import` refuses a line that is not a user, and imports the users before and after it', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'config.mjs'), config)
  const run = (...args: string[]) => signalbox(folder.path, ...args, '--config', 'config.mjs')
  await using setup = await listeningPool({ groups: { admins: {} } }, join(folder.path, 'data'))
  const { users } = setup.platform.userPools.get('staff')
  for (const name of ['ann', 'bob']) await users.add(name, { password: 'Right-7even' })
  const [ann, bob] = (await run('users', 'export', 'staff')).printed.split('\n')
  for (const name of ['ann', 'bob']) await run('user', 'delete', 'staff', name)
  writeFileSync(join(folder.path, 'users.jsonl'), [ann, '{"password":"Right-7even"', bob].join('\n'))
  const imported = await run('users', 'import', 'staff', 'users.jsonl')
  expect(imported).toMatchObject({
    exitCode: 1,
    printed: '2 added, of whom 0 have to reset their passwords; 0 were there; 1 refused.',
    printedErrors:
      'line 2: The line is not a user as `users export` prints it: a JSON object with id and name.',
  })
  expect((await users.list()).map(({ name }) => name).sort()).toEqual(['ann', 'bob'])
  const lines = ['cognito:username,email,email_verified', 'carl,carl@example.com,TRUE', 'dora']
  writeFileSync(join(folder.path, 'users.csv'), lines.join('\n'))
  expect(await run('users', 'import', 'staff', 'users.csv')).toMatchObject({
    exitCode: 1,
    printed: '1 added, of whom 1 have to reset their passwords; 0 were there; 1 refused.',
    printedErrors: 'line 3: The line has 1 fields, and the header has 3.',
  })
})

it('`users import` prints how many users it has added when a later request fails', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'config.mjs'), config)
  const run = (...args: string[]) => signalbox(folder.path, ...args, '--config', 'config.mjs')
  await using setup = await listeningPool({ groups: { admins: {} } }, join(folder.path, 'data'))
  await setup.platform.userPools.get('staff').users.add('bob', { password: 'Right-7even' })
  const bob = JSON.parse((await run('users', 'export', 'staff')).printed)
  const users = Array.from({ length: 101 }, (_, i) => ({
    ...bob,
    id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    // The last user is larger than any request may be.
    name: i < 100 ? `user-${i}` : 'x'.repeat(2_000_000),
  }))
  writeFileSync(join(folder.path, 'users.jsonl'), users.map(each => JSON.stringify(each)).join('\n'))
  expect(await run('users', 'import', 'staff', 'users.jsonl')).toMatchObject({
    exitCode: 2,
    printed: expect.stringMatching(/^Stopped after 100 users: 100 added, .* 0 were there; 0 refused\.$/),
    printedErrors: 'A request has 1048576 bytes at most.',
  })
})

it('`users import` and `users export` stop between requests when they are interrupted', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'config.mjs'), config)
  const run = (...args: string[]) => signalbox(folder.path, ...args, '--config', 'config.mjs')
  const stopped = (...args: string[]) => signalboxStopped(folder.path, ...args, '--config', 'config.mjs')
  await using setup = await listeningPool({ groups: { admins: {} } }, join(folder.path, 'data'))
  await setup.platform.userPools.get('staff').users.add('bob', { password: 'Right-7even' })
  const bob = JSON.parse((await run('users', 'export', 'staff')).printed)
  const others = Array.from({ length: 250 }, (_, i) =>
    JSON.stringify({
      ...bob,
      id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
      name: `user-${i}`,
    }),
  )
  writeFileSync(join(folder.path, 'users.jsonl'), others.join('\n'))
  expect(await stopped('users', 'import', 'staff', 'users.jsonl')).toMatchObject({
    exitCode: 130,
    printed: expect.stringMatching(/^Stopped after 100 users: 100 added, .* 0 were there; 0 refused\.$/),
  })
  expect((await run('users', 'import', 'staff', 'users.jsonl')).printed).toMatch(
    /^150 added, .* 100 were there/,
  )
  const { exitCode, printed, printedErrors } = await stopped('users', 'export', 'staff')
  expect(exitCode).toBe(130)
  expect(printed.split('\n')).toHaveLength(200)
  expect(printedErrors).toBe('Stopped after 200 users: the others were not printed.')
  expect((await run('users', 'export', 'staff')).printed.split('\n')).toHaveLength(251)
  expect((await run('users', 'staff')).progress.at(0)).toBe('60 users')
})

it('`users import` reads texts as they were exported, and refuses files and cells that say something else', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'config.mjs'), config)
  const run = (...args: string[]) => signalbox(folder.path, ...args, '--config', 'config.mjs')
  await using setup = await listeningPool({}, join(folder.path, 'data'))
  const { users } = setup.platform.userPools.get('staff')
  const imported = async (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder.path, name), content)
    return run('users', 'import', 'staff', name)
  }

  // U+2028 ends a line in some texts, and may be in a value of JSON.
  await users.add('ann', { password: 'Right-7even', attributes: { name: 'Ann\u2028Lee' } })
  const { printed } = await run('users', 'export', 'staff')
  await run('user', 'delete', 'staff', 'ann')
  expect(await imported('users.jsonl', `${printed}\n`)).toMatchObject({ exitCode: 0, printedErrors: '' })
  expect(await users.list()).toMatchObject([{ attributes: { name: 'Ann\u2028Lee' } }])
  await run('user', 'delete', 'staff', 'ann')

  const head = 'cognito:username,name,phone_number,phone_number_verified,cognito:mfa_enabled'
  const latin = Buffer.from(`${head}\nann,M\u00fcller,+491701,true,false\n`, 'latin1')
  expect(await imported('latin.csv', latin)).toMatchObject({
    exitCode: 2,
    printedErrors: expect.stringContaining('latin.csv is not UTF-8.'),
  })
  expect(await imported('twice.csv', `${head},name\nann,a,+491701,true,false,b`)).toMatchObject({
    printedErrors: expect.stringContaining('Line 1 has the column name twice.'),
  })
  const rows = [head, 'ann,Ann,+491701,true,yes', 'bob,Bob,+491702,true,"', 'carl,Carl,+491703,true,false']
  expect(await imported('rows.csv', rows.join('\n'))).toMatchObject({
    exitCode: 1,
    printedErrors: expect.stringMatching(
      /line 2: The column cognito:mfa_enabled is neither true nor false\..*/s,
    ),
  })
  expect((await users.list()).map(({ name }) => name)).toEqual(['carl'])
})
