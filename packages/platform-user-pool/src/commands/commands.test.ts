import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { listeningPool } from '../testing/listening-pool.ts'
import { signalbox, signalboxAnswered } from '../testing/pool-program.ts'
import { config } from '../testing/staff-pool.ts'

it('the commands `user`, `users` and `texts` manage the users and show the messages of a running platform', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'signalbox.config.mjs'), config)
  const run = (...args: string[]) => signalbox(folder.path, ...args, '--config', 'signalbox.config.mjs')
  const answered = (answers: string[], ...args: string[]) =>
    signalboxAnswered(folder.path, answers, ...args, '--config', 'signalbox.config.mjs')
  const stopped = await run('users', 'staff')
  expect(stopped).toMatchObject({ exitCode: 2 })
  expect(stopped.printedErrors).toContain('The platform is not running.')
  await using setup = await listeningPool({ groups: { admins: {} } }, join(folder.path, 'data'))
  const done = { exitCode: 0, printedErrors: '' }
  expect(await run('users', 'staff')).toMatchObject({ ...done, printed: 'There are no such users.' })
  expect(await run('user', 'add', 'staff', 'ann', '-a', 'email=ann@example.com')).toMatchObject(done)
  expect(JSON.parse((await run('texts', 'staff', '--json')).printed)).toMatchObject({
    To: 'ann@example.com',
    Occasion: 'AdminCreateUser',
    State: 'kept',
  })
  expect((await run('texts', 'staff')).printed).toContain('Your username is ann')
  expect((await run('user', 'password', 'staff', 'ann', 'Right-7even')).exitCode).toBe(2)
  expect(await answered(['Right-7even'], 'user', 'password', 'staff', 'ann')).toMatchObject(done)
  expect(await run('user', 'group', 'staff', 'ann', 'admins')).toMatchObject(done)
  const { printed } = await run('user', 'show', 'staff', 'ann', '--json')
  expect(JSON.parse(printed)).toMatchObject({ UserStatus: 'CONFIRMED', Groups: ['admins'] })
  expect(await run('user', 'disable', 'staff', 'ann')).toMatchObject(done)
  expect((await run('users', 'staff')).printed).toMatch(
    /^name +status.*\nann +CONFIRMED +no +ann@example\.com/,
  )
  expect(await run('user', 'enable', 'staff', 'ann')).toMatchObject(done)
  const staff = setup.platform.userPools.get('staff')
  expect(await staff.signIn('ann', 'Right-7even')).toHaveProperty('accessToken')
  expect((await run('keys', 'rotate', 'staff')).printed.split('\n')).toHaveLength(2)
  expect((await run('pools')).printed).toContain('eu-central-1_Staff01')
  expect(await run('user', 'delete', 'staff', 'ann')).toMatchObject(done)
  expect(await staff.users.list()).toEqual([])
  const unknown = await run('user', 'show', 'stuff', 'ann')
  expect(unknown.printedErrors).toContain('There is no user pool "stuff". Did you mean staff?')
})

it('each user-pool command prints readable text, or JSON when it is called with --json', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'config.mjs'), config)
  const run = (...args: string[]) => signalbox(folder.path, ...args, '--config', 'config.mjs')
  const typed = (...args: string[]) =>
    signalboxAnswered(folder.path, ['Right-7even'], ...args, '--config', 'config.mjs')
  await using setup = await listeningPool({ groups: { admins: {} } }, join(folder.path, 'data'))
  for (const name of ['ann', 'bob']) {
    await fetch(setup.url, {
      method: 'POST',
      headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.SignUp' },
      body: JSON.stringify({ ClientId: 'web', Username: `new-${name}`, Password: 'Right-7even' }),
    })
  }
  const rows: readonly [readonly string[], string, object, typeof run?][] = [
    [['user', 'add'], 'added', { done: 'added' }],
    [['user', 'add', '--password', '--permanent'], 'added', { done: 'added' }, typed],
    [['user', 'password'], 'changed', { done: 'changed' }, typed],
    [['user', 'disable'], 'disabled', { done: 'disabled' }],
    [['user', 'enable'], 'enabled', { done: 'enabled' }],
    [['user', 'delete'], 'deleted', { done: 'deleted' }],
  ]
  for (const [[command, verb, ...options], text, object, by = run] of rows) {
    const names = options.length === 0 && verb !== 'delete' ? ['carl', 'dora'] : ['emil', 'fred']
    const [one, other] = names as [string, string]
    expect(await by(command!, verb!, 'staff', one, ...options)).toMatchObject({
      exitCode: 0,
      printed: `${one} ${text}`,
      printedErrors: '',
    })
    const answer = await by(command!, verb!, 'staff', other, ...options, '--json')
    expect(JSON.parse(answer.printed)).toEqual({ user: other, ...object })
  }
  expect((await run('user', 'confirm', 'staff', 'new-ann')).printed).toBe('new-ann confirmed')
  expect((await run('user', 'confirm', 'staff', 'new-bob', '--json')).printed).toBe(
    '{"user":"new-bob","done":"confirmed"}',
  )
  const group = ['user', 'group', 'staff', 'carl', 'admins']
  expect((await run(...group)).printed).toBe('carl added to admins')
  expect((await run('user', 'show', 'staff', 'carl')).printed).toMatch(
    /^name +carl\nstatus +CONFIRMED\nenabled +yes\ncreated +20.+Z\ngroups +admins\nsecond factors +-\nsub +/,
  )
  expect(JSON.parse((await run(...group, '--remove', '--json')).printed)).toEqual({
    user: 'carl',
    done: 'removed from admins',
  })
  expect((await run('users', 'staff')).printed).toMatch(/^name +status +enabled +email +sub\n/)
  const users = (await run('users', 'staff', '--json')).printed.split('\n').map(line => JSON.parse(line))
  expect(users).toContainEqual(expect.objectContaining({ Username: 'carl', UserStatus: 'CONFIRMED' }))
  expect((await run('pools')).printed).toMatch(/^pool +id +users +client +client id +flows +secret\nstaff /)
  expect(JSON.parse((await run('pools', '--json')).printed)).toMatchObject({
    name: 'staff',
    clients: [{ name: 'web', id: 'web' }],
  })
  const keys = (await run('keys', 'rotate', 'staff')).printed.split('\n')
  const { keys: next } = JSON.parse((await run('keys', 'rotate', 'staff', '--json')).printed)
  expect(next).toHaveLength(2)
  expect(next).not.toEqual(keys)
  expect((await run('texts', 'staff')).printed).toBe('Nothing was sent yet.')
})

it('the command `texts` shows that the platform does not keep the text of a sent message', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'signalbox.config.mjs'), config)
  const answers = { CustomEmailSender_AdminCreateUser: () => undefined }
  await using _ = await listeningPool({ answers, groups: { admins: {} } }, join(folder.path, 'data'))
  const run = (...args: string[]) => signalbox(folder.path, ...args, '--config', 'signalbox.config.mjs')
  await run('user', 'add', 'staff', 'ann', '-a', 'email=ann@example.com')
  expect((await run('texts', 'staff')).printed).toMatch(
    /^ann@example\.com +AdminCreateUser +sent +\(not kept after/m,
  )
})

it('the error for a mistyped argument quotes the argument and suggests the correct one', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'config.mjs'), config)
  writeFileSync(join(folder.path, 'other.jsonl'), '{"a":1}\n')
  writeFileSync(join(folder.path, 'other.csv'), 'name,email\nann,ann@example.com\n')
  await using setup = await listeningPool({ groups: { admins: {} } }, join(folder.path, 'data'))
  await setup.platform.userPools.get('staff').users.add('ann', { password: 'Right-7even' })
  const rows: readonly [readonly string[], string][] = [
    [['user', 'add', 'staff', 'bob', '-a', 'email'], '--attribute email: expected NAME=VALUE.'],
    [['user', 'add', 'staff', 'bob', '-a', 'emial=b@b.example'], 'attribute "emial". Did you mean email?'],
    [['user', 'group', 'staff', 'ann', 'admin'], 'There is no group "admin". Did you mean admins?'],
    [['users', 'staff', '--filter', 'email^=a'], `expected one such as 'email ^= "ann"'`],
    [['users', 'imprt'], 'There is no command "users imprt". Did you mean users import?'],
    [['users', 'exprot', 'staff'], 'There is no command "users exprot". Did you mean users export?'],
    [['users', 'imprt', 'staff', 'other.csv'], 'Did you mean users import?'],
    [['sign-in', 'staff', 'ann', '--client', 'wep'], 'There is no client "wep". Did you mean web?'],
    [['users', 'import', 'staff', 'users.jsonl'], 'There is no file '],
    [['users', 'import', 'staff', 'other.jsonl'], 'a JSON object with id and name'],
    [['users', 'import', 'staff', 'other.csv'], 'Line 1 has no column cognito:username.'],
  ]
  for (const [args, text] of rows) {
    const { exitCode, printedErrors } = await signalbox(folder.path, ...args, '--config', 'config.mjs')
    expect([args, exitCode, printedErrors]).toEqual([args, 2, expect.stringContaining(text)])
  }
  expect(await setup.platform.userPools.get('staff').users.list()).toHaveLength(1)
})

it('every command about pools knows the pools that the API has created, by name and by id', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'signalbox.config.mjs'), config)
  const run = (...args: string[]) => signalbox(folder.path, ...args, '--config', 'signalbox.config.mjs')
  const answered = (answers: string[], ...args: string[]) =>
    signalboxAnswered(folder.path, answers, ...args, '--config', 'signalbox.config.mjs')
  await using setup = await listeningPool({}, join(folder.path, 'data'))
  const call = async (operation: string, input: object) => {
    const answer = await fetch(setup.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
      },
      body: JSON.stringify(input),
    })
    return (await answer.json()) as { [name: string]: { [name: string]: string } }
  }
  const UserPoolId = (await call('CreateUserPool', { PoolName: 'made' })).UserPool!.Id!
  const attribute = { Name: 'tenant', AttributeDataType: 'String' }
  await call('AddCustomAttributes', { UserPoolId, CustomAttributes: [attribute] })
  expect((await run('pools')).printed).toMatch(new RegExp(`^made +${UserPoolId} +0 +-`, 'm'))
  expect(await run('sign-in', 'made', 'ann')).toMatchObject({
    exitCode: 2,
    printedErrors: expect.stringContaining('The user pool made has no client.'),
  })
  const asked = { UserPoolId, ClientName: 'web', GenerateSecret: true }
  const { ClientId } = (await call('CreateUserPoolClient', asked)).UserPoolClient!
  const done = { exitCode: 0, printedErrors: '' }
  const attributes = ['-a', 'email=ann@example.com', '-a', 'custom:tenant=t1']
  expect(await run('user', 'add', 'made', 'ann', ...attributes)).toMatchObject(done)
  expect(await answered(['Right-7even'], 'user', 'password', 'made', 'ann')).toMatchObject(done)
  for (const pool of ['made', UserPoolId]) {
    expect((await run('users', pool)).printed).toContain('ann@example.com')
    expect(await run('texts', pool)).toMatchObject(done)
    expect((await run('user', 'show', pool, 'ann', '--json')).printed).toContain('custom:tenant')
    expect(await answered(['Right-7even'], 'sign-in', pool, 'ann', '--decode')).toMatchObject({
      exitCode: 0,
      printed: expect.stringContaining(ClientId!),
    })
  }
  expect((await run('keys', 'rotate', 'made')).exitCode).toBe(0)
  expect((await run('users', 'export', 'made')).printed).toContain('ann@example.com')
  expect((await run('users', 'mad')).printedErrors).toContain('Did you mean made?')

  // Clients choose these names, so that a name can be that of a configured pool, and of several pools.
  await call('CreateUserPool', { PoolName: 'staff' })
  expect((await run('users', 'staff')).printed).toContain('There are no such users.')
  const other = (await call('CreateUserPool', { PoolName: 'made' })).UserPool!.Id!
  const { printedErrors } = await run('users', 'made')
  expect(printedErrors).toContain('There are 2 user pools "made". Name one by its id:')
  expect(printedErrors).toContain(other)
})

it.each(['password', 'admin'] as const)(
  'a program signs in through a client that allows the flow `%s`',
  async flow => {
    await using setup = await listeningPool({ clients: { web: { flows: [flow] } } })
    const staff = setup.platform.userPools.get('staff')
    await staff.users.add('ann', { password: 'Right-7even' })
    expect(await staff.signIn('ann', 'Right-7even')).toHaveProperty('accessToken')
  },
)

it('a program creates users, reads codes and signs in through `platform.userPools`', async () => {
  await using setup = await listeningPool()
  const staff = setup.platform.userPools.get('staff')
  expect(staff).toMatchObject({
    id: 'eu-central-1_Staff01',
    url: setup.url,
    issuer: `${setup.url}/eu-central-1_Staff01`,
  })
  expect(staff.clientId('web')).toBe('web')
  expect(() => staff.clientId('app')).toThrow('There is no client "app". There are web.')
  expect(() => setup.platform.userPools.get('other')).toThrow(
    'There is no user pool "other". There are staff.',
  )
  const ann = await staff.users.add('ann', {
    password: 'Right-7even',
    attributes: { email: 'ann@example.com' },
  })
  expect(ann).toMatchObject({ name: 'ann', status: 'CONFIRMED', attributes: { email: 'ann@example.com' } })
  expect(await staff.users.get('ann')).toEqual(ann)
  expect(await staff.code('ann')).toBeUndefined()
  expect(await staff.signIn('ann', 'Right-7even')).toMatchObject({ idToken: expect.any(String) })
  expect(await staff.texts()).toEqual([])
})
