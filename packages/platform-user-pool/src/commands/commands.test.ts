import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '../../../platform-runtime/src/testing/temporary-folder.ts'
import { listeningPool } from '../testing/listening-pool.ts'
import { signalbox } from '../testing/pool-program.ts'

const config = `export default {
  userPools: { staff: {
    id: 'eu-central-1_Staff01',
    groups: { admins: {} },
    clients: { web: { id: 'web', flows: ['srp', 'password', 'custom', 'admin', 'refresh'] } },
  } },
  dataDir: 'data',
}`

it('commands work with the users of a running platform', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'signalbox.config.mjs'), config)
  const run = (...args: string[]) => signalbox(folder.path, ...args, '--config', 'signalbox.config.mjs')
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
  expect(await run('user', 'password', 'staff', 'ann', 'Right-7even')).toMatchObject(done)
  expect(await run('user', 'group', 'staff', 'ann', 'admins')).toMatchObject(done)
  const { printed } = await run('user', 'show', 'staff', 'ann')
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

it('programs make users, read codes and sign in', async () => {
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
