import { describe, expect, it } from '@jest/globals'
import { configProblems } from '../testing/pool-program.ts'

describe('migrateFrom in the configuration', () => {
  const problems = (pool: object) =>
    configProblems({
      functions: { work: { handler: () => ({}) } },
      userPools: { staff: { signUp: false, clients: { web: { flows: ['password'] } }, ...pool } },
    } as never).map(({ pointer, expected }) => [pointer, expected])
  const from = { pool: 'eu-central-1_Old01', client: 'abc' }

  it('takes a pool, and finds what is wrong with one', () => {
    expect(problems({ migrateFrom: from })).toEqual([])
    expect(
      problems({
        migrateFrom: {
          ...from,
          ...{ region: 'us-west-2', clientSecret: { env: 'PATH' }, endpoint: 'https://pools.example' },
        },
      }),
    ).toEqual([])
    expect(
      problems({ migrateFrom: { pool: 'Old01', client: 'a b', endpoint: 'http://pools.example', x: 1 } }),
    ).toEqual([
      ['/userPools/staff/migrateFrom/pool', expect.stringContaining('eu-central-1_Ab12Cd34E')],
      ['/userPools/staff/migrateFrom/client', expect.anything()],
      ['/userPools/staff/migrateFrom/endpoint', 'an https URL, or one of http on this machine'],
      ['/userPools/staff/migrateFrom/x', expect.anything()],
    ])
    expect(problems({ migrateFrom: { ...from, clientSecret: { env: 'NO_SUCH_VARIABLE' } } })).toEqual([])
  })

  it.each([
    ['a map', { UserMigration: 'work' }],
    ['a source', { UserMigration_ForgotPassword: 'work' }],
    ['a list', { function: 'work', routes: ['PreSignUp', 'UserMigration_Authentication'] }],
  ])('refuses the trigger UserMigration beside it, in %s', (_form, triggers) => {
    expect(problems({ migrateFrom: from, triggers })).toEqual([
      [
        '/userPools/staff/migrateFrom',
        'no trigger UserMigration beside it, because users can come from one place only',
      ],
    ])
    expect(problems({ migrateFrom: from, triggers: { PreSignUp: 'work' } })).toEqual([])
  })

  it('refuses sign-ups beside it that no function looks at', () => {
    expect(problems({ migrateFrom: from, signUp: true })).toEqual([
      [
        '/userPools/staff/migrateFrom',
        'signUp: false beside it, or a trigger PreSignUp that refuses those whom the other pool has, because others could take their names first',
      ],
    ])
    for (const triggers of [{ PreSignUp: 'work' }, { function: 'work', routes: ['PreSignUp_SignUp'] }])
      expect(problems({ migrateFrom: from, signUp: true, triggers })).toEqual([])
  })

  it('refuses a pool without a client that sends passwords', () => {
    expect(problems({ migrateFrom: from, clients: { web: { flows: ['srp', 'refresh'] } } })).toEqual([
      [
        '/userPools/staff/migrateFrom',
        'a client that sends passwords: by the flow password, admin or choice, or with callbacks',
      ],
    ])
    for (const client of [{ callbacks: ['https://app.example/cb'] }, { grants: ['device_code'] }])
      expect(problems({ migrateFrom: from, clients: { web: client } })).toEqual([])
  })
})
