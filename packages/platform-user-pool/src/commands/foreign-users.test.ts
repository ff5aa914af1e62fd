import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { decodeJwt } from 'jose'
import type { UserPoolConfig } from '../config/user-pool-config.ts'
import { listeningPool } from '../testing/listening-pool.ts'
import { signalbox } from '../testing/pool-program.ts'
import { foreignUser } from './foreign-users.ts'

const password = 'Right-7even'
/** Hashes of the password that other programs have made. */
const bcrypt = '$2b$05$abcdefghijklmnopqrstuuxE8d9bJSqc5XmiGf7LqKS10C8qeASfK'
const salt = 'c2FsdHNhbHRzYWx0c2FsdA=='
const argon2 = '20Ga8JRhmM8V6EqWoLNQUx4OgVxhiIKJOrS7jmOviwU='
const pbkdf2 = 'hfX8GcD0koya/5w6ZkDAyjq4XGndyu13Q2QomxIdvb0='
const pbkdf2Of512 = 'chYFp0MGj4/vAcKdpG+BJmtMWuabOVaba57lqGtF/+erJMJkWmTgRJFeux6RVsP8oC13A1yb2swda619y3lXiQ=='

const uuid = (number: number) => `6b1f3f0e-7a52-4c1e-9b60-00000000000${number}`

/** Starts a pool, and imports a file by the command. */
async function importSetup(pool: Partial<UserPoolConfig> = {}) {
  const folder = temporaryFolder()
  const dataDir = join(folder.path, 'data')
  const staff = { id: 'eu-central-1_Staff01', clients: { web: {} } }
  const config = { functions: {}, userPools: { staff }, dataDir }
  writeFileSync(join(folder.path, 'config.mjs'), `export default ${JSON.stringify(config)}`)
  const setup = await listeningPool({ signIn: ['name', 'email'], ...pool }, dataDir)
  const found = setup.platform.userPools.get('staff')
  return {
    users: found.users,
    list: found.users.list,
    byEmail: async () =>
      (await found.users.list()).toSorted((a, b) => (a.attributes.email! < b.attributes.email! ? -1 : 1)),
    signIn: async (name: string) => decodeJwt((await found.signIn(name, password)).idToken),
    async import(name: string, text: string, ...args: string[]) {
      writeFileSync(join(folder.path, name), text)
      return signalbox(folder.path, 'users', 'import', 'staff', name, ...args, '--config', 'config.mjs')
    },
    async [Symbol.asyncDispose]() {
      await setup[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

const linesOf = (users: readonly object[]) => users.map(each => JSON.stringify(each)).join('\n')

it('users come from the files of Auth0, and an import can be repeated', async () => {
  await using setup = await importSetup()
  const of = (number: number, more: object) => ({
    _id: { $oid: `60425dc43519d90068f8297${number}` },
    ...{ email_verified: true, password_set_date: { $date: '2021-03-05T16:34:16.775Z' } },
    ...{ tenant: 'dev-rwsbs6ym', connection: 'Username-Password-Authentication', _tmp_is_unique: true },
    ...more,
  })
  const hashes = linesOf([
    of(1, { email: 'ann@example.com', passwordHash: bcrypt }),
    of(2, { email: 'bob@example.com', username: 'bob', passwordHash: bcrypt.replace('$2b$', '$2a$') }),
    of(3, { email: 'carl@example.com' }),
    of(4, { email: 'dora@example.com', email_verified: false }),
    { email: 'eve@example.com', passwordHash: bcrypt },
    of(5, { email: 'fay@example.com', passwordHash: bcrypt, multifactor: ['guardian'] }),
  ])
  expect(await setup.import('auth0.json', hashes, '--from', 'auth0')).toMatchObject({
    exitCode: 1,
    printed: '4 added, of whom 2 have to reset their passwords; 0 were there; 2 refused.',
    printedErrors: [
      'line 4: The line has no password hash, and no verified address to reset the password by.',
      'line 5: The line is not a user of Auth0: it has neither _id nor user_id.',
    ].join('\n'),
  })
  // An address is no user name in a pool with such aliases.
  expect(await setup.byEmail()).toMatchObject([
    { name: expect.stringMatching(/^[\da-f-]{36}$/), status: 'CONFIRMED' },
    { name: 'bob', status: 'CONFIRMED' },
    { name: expect.stringMatching(/^[\da-f-]{36}$/), status: 'RESET_REQUIRED' },
    { status: 'RESET_REQUIRED' },
  ])
  expect(await setup.signIn('ann@example.com')).toMatchObject({ email: 'ann@example.com' })
  expect(await setup.signIn('bob@example.com')).toMatchObject({ 'cognito:username': 'bob' })
  const again = await setup.import('again.json', hashes, '--from', 'auth0', '--json')
  expect(JSON.parse(again.printed)).toEqual({ added: 0, there: 4, reset: 0, refused: 2 })

  const profiles = linesOf([
    {
      ...{
        user_id: 'auth0|60425dc43519d90068f82979',
        email: 'gus@example.com',
        email_verified: true,
        blocked: true,
      },
      ...{ name: 'Gus', given_name: 'Gus', created_at: '2020-01-01T00:00:00.000Z' },
    },
  ])
  await setup.import('profiles.json', profiles, '--from', 'auth0')
  expect((await setup.byEmail()).at(-1)).toMatchObject({
    status: 'RESET_REQUIRED',
    attributes: { email: 'gus@example.com', given_name: 'Gus' },
  })
})

it('users come from an exported realm of Keycloak, with their ids, groups and attributes', async () => {
  await using setup = await importSetup({ custom: { tenant: 'string' }, groups: { admins: {}, owners: {} } })
  const secret = (value: string) => JSON.stringify({ value, salt, additionalParameters: {} })
  const of512 = { hashIterations: 1000, algorithm: 'pbkdf2-sha512', additionalParameters: {} }
  const ofArgon2 = {
    hashIterations: 2,
    algorithm: 'argon2',
    additionalParameters: {
      ...{ hashLength: ['32'], memory: ['1024'], type: ['id'], version: ['1.3'], parallelism: ['1'] },
    },
  }
  const user = (
    number: number,
    username: string,
    credentialData: object,
    value: string,
    more: object = {},
  ) => ({
    ...{ id: uuid(number), createdTimestamp: 1_600_000_000_000, username, enabled: true, totp: false },
    ...{ emailVerified: true, firstName: 'Ann', lastName: 'Ash', email: `${username}@example.com` },
    credentials: [
      {
        ...{ id: uuid(9), type: 'password', createdDate: 1_600_000_000_000 },
        ...{ secretData: secret(value), credentialData: JSON.stringify(credentialData) },
      },
    ],
    ...{
      disableableCredentialTypes: [],
      requiredActions: [],
      realmRoles: ['default-roles-shop'],
      notBefore: 0,
    },
    ...more,
  })
  const sha256 = { hashIterations: 1000, algorithm: 'pbkdf2-sha256', additionalParameters: {} }
  const otp = { type: 'otp', secretData: '{"value":"x"}', credentialData: '{"subType":"totp","digits":6}' }
  const realm = {
    ...{ id: uuid(8), realm: 'shop', enabled: true, roles: {}, clients: [] },
    users: [
      user(1, 'ann', sha256, pbkdf2, {
        attributes: { tenant: ['north'], dept: ['x'] },
        groups: ['/admins', '/customers/acme/owners', '/none'],
      }),
      user(2, 'bob', ofArgon2, argon2, { enabled: false }),
      user(3, 'carl', of512, pbkdf2Of512),
      user(4, 'dora', { ...sha256, algorithm: 'pbkdf2' }, pbkdf2),
      user(5, 'eve', sha256, pbkdf2, { requiredActions: ['UPDATE_PASSWORD'] }),
      {
        ...user(6, 'fay', sha256, pbkdf2),
        credentials: [...user(6, 'fay', sha256, pbkdf2).credentials, otp],
      },
      { id: uuid(7), username: 'service-account-shop', serviceAccountClientId: 'shop', enabled: true },
    ],
  }
  const imported = await setup.import('realm.json', JSON.stringify(realm, null, 2), '--from', 'keycloak')
  expect(imported).toMatchObject({
    exitCode: 1,
    printed: '5 added, of whom 2 have to reset their passwords; 0 were there; 2 refused.',
    printedErrors: [
      'user 4: The user has a password of another algorithm than pbkdf2-sha256, pbkdf2-sha512 or argon2 of the type id and the version 1.3.',
      'user 7: The user has no password hash, and no verified address to reset the password by.',
      'Left out: the group /customers/acme/owners.',
    ].join('\n'),
  })
  expect(await setup.list()).toMatchObject([
    { name: 'ann', status: 'CONFIRMED', attributes: { given_name: 'Ann', 'custom:tenant': 'north' } },
    { name: 'bob', status: 'CONFIRMED' },
    { name: 'carl', status: 'CONFIRMED' },
    { name: 'eve', status: 'RESET_REQUIRED' },
    { name: 'fay', status: 'RESET_REQUIRED' },
  ])
  expect(await setup.signIn('ann')).toMatchObject({ sub: uuid(1), 'cognito:groups': ['admins'] })
  expect(await setup.signIn('carl')).toMatchObject({ sub: uuid(3) })
  await expect(setup.signIn('bob')).rejects.toThrow('User is disabled.')
  const part = { realm: 'shop', users: realm.users.slice(0, 1) }
  expect(await setup.import('shop-users-0.json', JSON.stringify(part), '--from', 'keycloak')).toMatchObject({
    exitCode: 0,
    printed: expect.stringContaining('1 were there'),
  })
  for (const [text, problem] of [
    ['{', 'The file is not JSON'],
    ['{"realm":"shop"}', 'The file has no `users`.'],
    ['{"users":["ann"]}', 'User 1 is not a user'],
  ] as const)
    expect((await setup.import('wrong.json', text, '--from', 'keycloak')).printedErrors).toContain(problem)
})

it('users come from the rows of Supabase, also to a pool without user names', async () => {
  await using setup = await importSetup({ signIn: ['email', 'phone'] })
  const row = (number: number, more: object) => ({
    ...{ instance_id: '00000000-0000-0000-0000-000000000000', id: uuid(number), aud: 'authenticated' },
    ...{
      role: 'authenticated',
      email: `user${number}@example.com`,
      encrypted_password: bcrypt.replace('$2b$', '$2a$'),
    },
    ...{ email_confirmed_at: '2024-05-01T10:00:00.123456+00:00', phone: null, phone_confirmed_at: null },
    raw_app_meta_data: { provider: 'email', providers: ['email'] },
    raw_user_meta_data: { full_name: `User ${number}` },
    ...{ banned_until: null, deleted_at: null, is_sso_user: false, is_anonymous: false },
    created_at: '2024-05-01T09:59:00+00:00',
    ...more,
  })
  const rows = linesOf([
    row(1, {}),
    row(2, { phone: '4930123456', phone_confirmed_at: '2024-05-01T10:00:00+00:00', email: null }),
    row(3, { encrypted_password: '', raw_app_meta_data: { provider: 'google' } }),
    row(4, { banned_until: '2999-01-01T00:00:00+00:00' }),
    row(5, { email: null, is_anonymous: true, encrypted_password: '' }),
  ])
  expect(await setup.import('rows.jsonl', rows, '--from', 'supabase')).toMatchObject({
    exitCode: 1,
    printed: '4 added, of whom 1 have to reset their passwords; 0 were there; 1 refused.',
    printedErrors: expect.stringMatching(/^line 5: /),
  })
  expect(await setup.list()).toMatchObject([
    { name: uuid(1), status: 'CONFIRMED', attributes: { name: 'User 1', email_verified: 'true' } },
    { name: uuid(2), attributes: { phone_number: '+4930123456', phone_number_verified: 'true' } },
    { name: uuid(3), status: 'RESET_REQUIRED' },
    { name: uuid(4), status: 'CONFIRMED' },
  ])
  expect(await setup.signIn('user1@example.com')).toMatchObject({ sub: uuid(1) })
  expect(await setup.signIn('+4930123456')).toMatchObject({ sub: uuid(2) })
  await expect(setup.signIn('user4@example.com')).rejects.toThrow('User is disabled.')
})

it('an unknown service, and a file of another one, are refused', async () => {
  await using setup = await importSetup()
  expect(await setup.import('users.json', '{}', '--from', 'okta')).toMatchObject({
    exitCode: 2,
    printedErrors: expect.stringContaining('--from has to be one of auth0, keycloak, supabase.'),
  })
  for (const service of ['auth0', 'supabase']) {
    const { exitCode, printedErrors } = await setup.import('users.json', `["${bcrypt}"]`, '--from', service)
    expect([exitCode, printedErrors]).toEqual([
      2,
      expect.stringContaining('Line 1 is not a user: a JSON object.'),
    ])
    expect(printedErrors).not.toContain(bcrypt)
  }
})

it('users who have not proved an address are unconfirmed here, too, or are refused', async () => {
  await using setup = await importSetup({ signIn: ['name'] })
  const row = (number: number, more: object) => ({
    ...{ id: uuid(number), email: `user${number}@example.com`, encrypted_password: bcrypt },
    ...{ email_confirmed_at: null, phone: null, phone_confirmed_at: null, ...more },
  })
  const rows = linesOf([
    row(1, { email: null }),
    row(2, {}),
    row(3, { phone: '4930123456', phone_confirmed_at: '2024-05-01T10:00:00+00:00' }),
  ])
  expect(await setup.import('rows.jsonl', rows, '--from', 'supabase')).toMatchObject({
    printed: '2 added, of whom 0 have to reset their passwords; 0 were there; 1 refused.',
    // The first line is a user, so that the import goes on.
    printedErrors: 'line 1: The line is not confirmed, and has no address to be confirmed by.',
  })
  expect(await setup.list()).toMatchObject([
    { name: 'user2@example.com', status: 'UNCONFIRMED' },
    { name: 'user3@example.com', status: 'CONFIRMED' },
  ])
  await expect(setup.signIn('user2@example.com')).rejects.toThrow('User is not confirmed.')

  const secretData = JSON.stringify({ value: pbkdf2, salt })
  const credentialData = JSON.stringify({ hashIterations: 1000, algorithm: 'pbkdf2-sha256' })
  const user = (number: number, more: object) => ({
    ...{ id: uuid(number), username: `kc${number}`, email: `kc${number}@example.com`, emailVerified: false },
    credentials: [{ type: 'password', secretData, credentialData }],
    ...more,
  })
  const verifyEmail = { requiredActions: ['VERIFY_EMAIL'] }
  const part = [user(4, verifyEmail), user(5, {}), user(6, { ...verifyEmail, emailVerified: true })]
  await setup.import('part.json', JSON.stringify({ users: part }), '--from', 'keycloak')
  const realm = { verifyEmail: true, users: [user(7, {}), user(8, { emailVerified: true })] }
  await setup.import('realm.json', JSON.stringify(realm), '--from', 'keycloak')
  expect((await setup.list()).slice(0, 5)).toMatchObject([
    { name: 'kc4', status: 'UNCONFIRMED' },
    { name: 'kc5', status: 'CONFIRMED' },
    { name: 'kc6', status: 'CONFIRMED' },
    { name: 'kc7', status: 'UNCONFIRMED' },
    { name: 'kc8', status: 'CONFIRMED' },
  ])
})

it('a user whose only name is an address that nobody has verified is refused where addresses are aliases', () => {
  const row = { id: uuid(1), email: 'ann@example.com', email_confirmed_at: null, encrypted_password: bcrypt }
  const read = (signIn: readonly ('name' | 'email')[]) =>
    foreignUser('supabase', row, { custom: [], signIn: [...signIn] }, 0)
  expect(read(['name', 'email'])).toEqual({
    why: 'has neither a user name nor a verified address to sign in with.',
  })
  expect(read(['name'])).toMatchObject({ name: 'ann@example.com', status: 'UNCONFIRMED' })
  expect(read(['email'])).toMatchObject({ name: uuid(1), status: 'UNCONFIRMED' })
})

it.each<[string, { readonly more?: object; readonly requiredActions?: readonly string[] }]>([
  ['CONFIGURE_TOTP', { requiredActions: ['CONFIGURE_TOTP'] }],
  ['a credential of the type totp', { more: { type: 'totp' } }],
  ['a credential of the type hotp', { more: { type: 'hotp' } }],
  ['a credential of an extension', { more: { type: 'sms-code' } }],
])('a user of Keycloak with %s has a second factor', (_what, { more, ...user }) => {
  const secretData = JSON.stringify({ value: pbkdf2, salt })
  const credentialData = JSON.stringify({ hashIterations: 1000, algorithm: 'pbkdf2-sha256' })
  const credentials = [{ type: 'password', secretData, credentialData }, ...(more ? [more] : [])]
  const ann = { id: uuid(1), username: 'ann', email: 'ann@example.com', emailVerified: true, credentials }
  const read = foreignUser('keycloak', { ...ann, ...user }, { custom: [], signIn: ['name'] }, 0)
  expect(read).toMatchObject({ status: 'RESET_REQUIRED' })
  expect(read).not.toHaveProperty('passwordHash')
})

it('attributes that users of Keycloak may write prove no phone number, and others come only as texts', () => {
  const read = (attributes: object, custom: readonly string[] = []) =>
    foreignUser(
      'keycloak',
      {
        ...{ id: uuid(1), username: 'ann', email: 'ann@example.com', emailVerified: true },
        attributes,
      },
      { custom, signIn: ['name'] },
      0,
    )
  const phone = { phoneNumber: ['+4930123456'], phoneNumberVerified: ['true'] }
  expect(read(phone)).toMatchObject({
    attributes: { phone_number: '+4930123456', phone_number_verified: 'false' },
  })
  expect(read({}, ['constructor'])).not.toHaveProperty(['attributes', 'custom:constructor'])
  expect(read({ tenant: [{ name: 'north' }] }, ['tenant'])).toEqual({
    why: 'has a value for custom:tenant that is not a text.',
  })
})

it.each([
  ['infinity', false],
  ['2999-01-01T00:00:00+00:00', false],
  ['1999-01-01T00:00:00+00:00', true],
  ['', true],
])('a user of Supabase who is banned until "%s" is enabled: %s', (banned_until, enabled) => {
  const row = { id: uuid(1), email: 'ann@example.com', email_confirmed_at: '2024-05-01', banned_until }
  expect(foreignUser('supabase', row, { custom: [], signIn: ['name'] }, Date.now())).toMatchObject({
    enabled,
  })
})

it('a file of hashes from Auth0 gets a warning, once, because it does not say who is blocked', async () => {
  await using setup = await importSetup()
  const of = (number: number, more: object = {}) => ({
    ...{ _id: { $oid: `60425dc43519d90068f8297${number}` }, email: `user${number}@example.com` },
    ...{ email_verified: true, passwordHash: bcrypt, ...more },
  })
  const warning = 'No line says whether its user is blocked or has a second factor (blocked, multifactor)'
  const first = await setup.import('a.json', linesOf([of(1), of(2)]), '--from', 'auth0')
  expect(first).toMatchObject({ exitCode: 0, printedErrors: expect.stringContaining(warning) })
  expect(first.printedErrors.split(warning)).toHaveLength(2)
  const joined = linesOf([of(3), of(4, { blocked: true })])
  expect((await setup.import('b.json', joined, '--from', 'auth0')).printedErrors).toBe('')
})
