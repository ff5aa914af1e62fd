import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type {
  Change,
  Credential,
  Group,
  Message,
  StoredKey,
  User,
  UserPoolStore,
} from '../store/user-pool-store.ts'

/** A store under test. */
export interface OpenedStore {
  readonly store: UserPoolStore
  /** Closes the store and opens it again with the same accounts, as a restart does. */
  readonly reopen: () => Promise<UserPoolStore>
  /** Closes the store and deletes its accounts. */
  readonly end: () => Promise<void>
}

const pool = 'eu-central-1_Staff01'
const now = 1_000_000
const minute = 60_000

const userOf = (name: string, more: Partial<User> = {}): User => ({
  id: `id of ${name}`,
  name,
  status: 'CONFIRMED',
  enabled: true,
  attributes: { email: `${name}@example.com` },
  password: `encrypted password of ${name}`,
  passwordExpires: undefined,
  signInNames: [name, `${name}@example.com`],
  created: now,
  modified: now,
  ...more,
})

const credentialOf = (id: string, more: Partial<Credential> = {}): Credential => ({
  kind: 'session',
  id,
  user: 'id of ann',
  expires: now + minute,
  value: `value of ${id}`,
  ...more,
})

const groupOf = (name: string, precedence?: number): Group => ({
  name,
  description: undefined,
  precedence,
  role: undefined,
  created: now,
  modified: now,
})

const messageOf = (id: string, more: Partial<Message> = {}): Message => ({
  id,
  user: 'id of ann',
  occasion: 'SignUp',
  medium: 'EMAIL',
  to: 'ann@example.com',
  state: 'waiting',
  contents: `encrypted contents of ${id}`,
  ends: now + minute,
  created: now,
  ...more,
})

/**
 * Declares the shared test suite for user-pool stores, which each storage engine must pass.
 * @param engine the name of the storage engine
 * @param open opens a store without accounts
 */
export function userPoolStoreSuite(engine: string, open: () => Promise<OpenedStore>): void {
  describe(`a ${engine} user-pool store`, () => {
    let opened: OpenedStore
    let store: UserPoolStore
    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(() => opened.end())

    const change = (part: Omit<Change, 'pool' | 'now'>, at = now) => store.change({ pool, now: at, ...part })
    const add = async (...users: readonly User[]) => {
      for (const user of users) expect(await change({ users: [{ user, was: undefined }] })).toBeUndefined()
    }
    const names = async (query: Omit<Parameters<UserPoolStore['users']>[1], 'limit'> & { limit?: number }) =>
      (await store.users(pool, { limit: 10, ...query })).map(({ name }) => name)
    const credential = (id: string, kind: Credential['kind'] = 'session', at = now) =>
      store.credential(pool, kind, id, at)

    it('lists the credentials of all accounts that expire last', async () => {
      const of = (id: string, user: string, expires: number) => ({ ...credentialOf(id), user, expires })
      await change({ adds: [of('one', 'a', now + 5), of('two', 'b', now + 9), of('old', 'b', now - 1)] })
      await change({ adds: [{ ...of('code', 'a', now + 9), kind: 'code' }] })
      const latest = async (most: number) =>
        (await store.latestCredentials(pool, 'session', now, most)).map(({ id }) => id)
      expect([await latest(9), await latest(1)]).toEqual([['two', 'one'], ['two']])
      expect(await store.countCredentials(pool, 'session', now)).toBe(2)
      expect(await store.nextToExpire(pool, 'session', now)).toMatchObject({ id: 'one', expires: now + 5 })
      expect(await store.nextToExpire(pool, 'grant', now)).toBeUndefined()
    })

    describe('accounts', () => {
      it('are counted and stored unchanged', async () => {
        const ann = userOf('ann', { passwordExpires: now + 1, attributes: { name: 'Änn "A" \\ 名' } })
        await add(ann, userOf('bob', { password: undefined, enabled: false }))
        expect(await store.user(pool, ann.id)).toMatchObject({ ...ann, revision: expect.any(Number) })
        const bob = await store.userNamed(pool, 'bob@example.com')
        expect(bob).toMatchObject({ name: 'bob', enabled: false })
        expect(bob!.password).toBeUndefined()
        expect(await store.userNamed(pool, 'carl')).toBeUndefined()
        expect(await store.countUsers(pool)).toBe(2)
        expect(await store.user('another pool', ann.id)).toBeUndefined()
        expect(await store.countUsers('another pool')).toBe(0)
      })

      it('still exist when the store is opened again', async () => {
        await add(userOf('ann'))
        await change({ adds: [credentialOf('one')], messages: [messageOf('one')] })
        store = await opened.reopen()
        expect(await store.userNamed(pool, 'ann')).toMatchObject({ id: 'id of ann' })
        expect(await credential('one')).toBeDefined()
        expect(await store.waitingMessages()).toHaveLength(1)
      })

      it('are changed only if their revision has not changed since they were read, and then get a new revision', async () => {
        await add(userOf('ann'))
        const { revision, ...ann } = (await store.user(pool, 'id of ann'))!
        const disabled = { ...ann, enabled: false }
        expect(await change({ users: [{ user: disabled, was: revision }] })).toBeUndefined()
        expect((await store.user(pool, ann.id))!.revision).not.toBe(revision)
        expect(await change({ users: [{ user: ann, was: revision }] })).toBe('changed')
        expect(await change({ users: [{ user: ann, was: undefined }] })).toBe('changed')
        expect(await change({ unchanged: { id: ann.id, was: revision } })).toBe('changed')
        expect(await change({ removedUser: { id: ann.id, was: revision } })).toBe('changed')
        expect(await change({ users: [{ user: userOf('bob'), was: 1 }] })).toBe('changed')
        expect(await store.user(pool, ann.id)).toMatchObject({ enabled: false })
      })

      it('cannot share a sign-in name, but one change can move a name to another account', async () => {
        await add(userOf('ann'))
        const bob = userOf('bob', { signInNames: ['bob', 'ann@example.com'] })
        expect(await change({ users: [{ user: bob, was: undefined }] })).toBe('name taken')
        const { revision, ...ann } = (await store.user(pool, 'id of ann'))!
        const without = { ...ann, signInNames: ['ann'] }
        expect(
          await change({
            users: [
              { user: bob, was: undefined },
              { user: without, was: revision },
            ],
          }),
        ).toBeUndefined()
        expect(await store.userNamed(pool, 'ann@example.com')).toMatchObject({ name: 'bob' })
        expect(await store.userNamed(pool, 'ann')).toMatchObject({ name: 'ann' })
        expect(
          await store.change({ pool: 'another pool', now, users: [{ user: ann, was: undefined }] }),
        ).toBe(undefined)
      })

      it('are listed by name in pages, with a filter, and by group', async () => {
        const attributes = { email: 'ann@other.example', 'custom:a"b': '1' }
        await add(userOf('carl'), userOf('ann', { attributes }), userOf('bob', { enabled: false }))
        await change({ group: { group: groupOf('admins'), isNew: true } })
        await change({ member: { user: 'id of bob', group: 'admins', isIn: true } })
        expect(await names({})).toEqual(['ann', 'bob', 'carl'])
        expect(await names({ limit: 1, after: 'ann' })).toEqual(['bob'])
        expect(await names({ after: 'carl' })).toEqual([])
        expect(await names({ group: 'admins' })).toEqual(['bob'])
        const by = (name: string, value: string, isPrefix = false) =>
          names({ filter: { name, value, isPrefix } })
        expect(await by('email', 'bob@example.com')).toEqual(['bob'])
        expect(await by('email', 'bob@')).toEqual([])
        expect(await by('email', 'bob@', true)).toEqual(['bob'])
        expect(await by('custom:a"b', '1')).toEqual(['ann'])
        expect(await by('username', 'c', true)).toEqual(['carl'])
        expect(await by('sub', 'id of ann')).toEqual(['ann'])
        expect(await by('enabled', 'false')).toEqual(['bob'])
        expect(await by('status', 'UNCONFIRMED')).toEqual([])
        expect(await by('email', '%', true)).toEqual([])
      })

      it('are not found by a name or an id with a NUL character', async () => {
        await add(userOf('ann'))
        expect(await store.userNamed(pool, 'ann\0')).toBeUndefined()
        expect(await store.user(pool, '\0')).toBeUndefined()
        expect(await store.isLocked(pool, '\0', now)).toBe(false)
        expect(await names({ filter: { name: 'username', value: 'ann\0', isPrefix: false } })).toEqual([])
      })

      it('are found by their attributes, even if other accounts have NUL characters, lone surrogates or escapes', async () => {
        const values = ['\0', '\ud800', '\\u0000', '\\', ',"email":"x"', 'x,']
        for (const [number, value] of values.entries())
          await add(userOf(`user ${number}`, { attributes: { name: value, email: `${number}@example.com` } }))
        for (const [number, value] of values.entries()) {
          const byEmail = { name: 'email', value: `${number}@`, isPrefix: true }
          expect(await names({ filter: byEmail })).toEqual([`user ${number}`])
          const byName = { name: 'name', value, isPrefix: false }
          if (number > 1) expect(await names({ filter: byName })).toEqual([`user ${number}`])
        }
        expect(await names({ filter: { name: 'email', value: 'x', isPrefix: true } })).toEqual([])
        expect(await names({ filter: { name: 'nickname', value: '', isPrefix: true } })).toEqual([])
      })

      it('lose all their data when they are deleted', async () => {
        await add(userOf('ann'))
        await change({
          adds: [credentialOf('one')],
          messages: [messageOf('one')],
          group: { group: groupOf('admins'), isNew: true },
        })
        await change({ member: { user: 'id of ann', group: 'admins', isIn: true } })
        const { revision } = (await store.user(pool, 'id of ann'))!
        expect(await change({ removedUser: { id: 'id of ann', was: revision } })).toBeUndefined()
        expect(await store.userNamed(pool, 'ann')).toBeUndefined()
        expect(await credential('one')).toBeUndefined()
        expect(await store.messages(pool)).toEqual([])
        await add(userOf('ann'))
        expect(await store.groupsOf(pool, 'id of ann')).toEqual([])
      })
    })

    describe('credentials', () => {
      it('expire after their lifetime', async () => {
        await change({ adds: [credentialOf('one')] })
        expect(await credential('one')).toEqual(credentialOf('one'))
        expect(await credential('one', 'refresh')).toBeUndefined()
        expect(await credential('one', 'session', now + minute)).toBeUndefined()
        expect(await change({ uses: [{ kind: 'session', id: 'one' }] }, now + minute)).toBe('gone')
        expect(await change({ adds: [credentialOf('one')] }, now + minute)).toBeUndefined()
      })

      it('can be used up by only one of several simultaneous changes', async () => {
        await change({ adds: [credentialOf('one')] })
        const use = { kind: 'session', id: 'one', value: 'value of one' } as const
        expect(await change({ uses: [{ ...use, value: 'another' }] })).toBe('gone')
        const refusals = await Promise.all(
          Array.from({ length: 5 }, () =>
            change({ uses: [use], adds: [credentialOf('two', { kind: 'spent' })] }),
          ),
        )
        expect(refusals.filter(refusal => refusal === undefined)).toHaveLength(1)
        expect(await credential('one')).toBeUndefined()
        expect(await credential('two', 'spent')).toBeDefined()
      })

      it('can be required or forbidden by a change', async () => {
        const one = { kind: 'session', id: 'one' } as const
        expect(await change({ lacks: [one], adds: [credentialOf('one')] })).toBeUndefined()
        expect(await change({ needs: [one], adds: [credentialOf('two')] })).toBeUndefined()
        expect(await credential('one')).toEqual(credentialOf('one'))
        expect(await change({ needs: [{ kind: 'session', id: 'none' }] })).toBe('gone')
        expect(await change({ lacks: [one], adds: [credentialOf('three')] })).toBe('gone')
        expect(await credential('three')).toBeUndefined()
        expect(await change({ needs: [one] }, now + minute)).toBe('gone')
        expect(await change({ lacks: [one] }, now + minute)).toBeUndefined()
      })

      it('cannot be added if they already exist, but can be replaced', async () => {
        await change({ adds: [credentialOf('one')] })
        expect(await change({ adds: [credentialOf('one', { value: 'other' })] })).toBe('gone')
        await change({ puts: [credentialOf('one', { value: 'other' })] })
        expect((await credential('one'))!.value).toBe('other')
      })

      it('can be deleted one by one, or all of a kind for one account', async () => {
        await change({
          adds: [
            credentialOf('one'),
            credentialOf('two'),
            credentialOf('three', { kind: 'grant' }),
            credentialOf('four', { user: 'id of bob' }),
          ],
        })
        await change({ ends: [{ kind: 'session', id: 'one' }] })
        expect(await credential('one')).toBeUndefined()
        expect(await credential('two')).toBeDefined()
        await change({ ends: [{ user: 'id of ann', kinds: ['session'] }] })
        expect(await credential('two')).toBeUndefined()
        expect(await credential('three', 'grant')).toBeDefined()
        expect(await credential('four')).toBeDefined()
      })
    })

    it('applies no part of a refused change', async () => {
      await add(userOf('ann'))
      const refused = await change({
        users: [{ user: userOf('bob'), was: undefined }],
        adds: [credentialOf('one')],
        messages: [messageOf('one')],
        group: { group: groupOf('admins'), isNew: true },
        attempt: { key: 'ann', isRight: false },
        uses: [{ kind: 'code', id: 'none' }],
      })
      expect(refused).toBe('gone')
      expect(await store.userNamed(pool, 'bob')).toBeUndefined()
      expect(await credential('one')).toBeUndefined()
      expect(await store.messages(pool)).toEqual([])
      expect(await store.groups(pool)).toEqual([])
    })

    describe('wrong passwords', () => {
      const attempt = (isRight: boolean, at = now) => change({ attempt: { key: 'ann', isRight } }, at)

      it('lock an account after the fifth attempt, for twice as long each time', async () => {
        for (let i = 0; i < 5; i++) expect(await attempt(false)).toBeUndefined()
        expect(await store.isLocked(pool, 'ann', now)).toBe(true)
        expect(await attempt(true)).toBe('locked')
        expect(await store.isLocked(pool, 'ann', now + 1000)).toBe(false)
        expect(await attempt(false, now + 1000)).toBeUndefined()
        expect(await attempt(true, now + 2999)).toBe('locked')
        expect(await attempt(true, now + 3000)).toBeUndefined()
        expect(await attempt(false, now + 3000)).toBeUndefined()
        expect(await store.isLocked(pool, 'ann', now + 3000)).toBe(false)
        expect(await store.isLocked(pool, 'bob', now)).toBe(false)
      })

      it('are forgotten after a quarter of an hour', async () => {
        for (let i = 0; i < 5; i++) await attempt(false)
        expect(await attempt(false, now + 15 * minute)).toBeUndefined()
        expect(await store.isLocked(pool, 'ann', now + 15 * minute)).toBe(false)
      })

      it('are all counted when they are tried at the same time', async () => {
        const refusals = await Promise.all(Array.from({ length: 20 }, () => attempt(false)))
        expect(refusals.filter(refusal => refusal === undefined)).toHaveLength(5)
      })
    })

    it('limits how often an action can happen in a period of time', async () => {
      const count = (at: number) => store.count(pool, 'resend', { most: 2, window: minute }, at)
      expect([await count(now), await count(now + 1), await count(now + 2)]).toEqual([true, true, false])
      expect(await store.count(pool, 'other', { most: 2, window: minute }, now)).toBe(true)
      expect(await count(now + minute)).toBe(true)
    })

    describe('groups', () => {
      it('can be created once, then changed, and deleted with their memberships', async () => {
        await add(userOf('ann'))
        const admins = { ...groupOf('admins', 1), description: 'all', role: 'rule' }
        expect(await change({ group: { group: admins, isNew: true } })).toBeUndefined()
        expect(await change({ group: { group: admins, isNew: true } })).toBe('group taken')
        expect(await change({ group: { group: groupOf('staff'), isNew: false } })).toBe('changed')
        expect(await change({ group: { group: { ...admins, role: 'read' }, isNew: false } })).toBeUndefined()
        expect(await store.groups(pool)).toEqual([{ ...admins, role: 'read' }])
        await change({ member: { user: 'id of ann', group: 'admins', isIn: true } })
        expect(await change({ removedGroup: 'admins' })).toBeUndefined()
        expect(await change({ removedGroup: 'admins' })).toBe('changed')
        await change({ group: { group: admins, isNew: true } })
        expect(await store.groupsOf(pool, 'id of ann')).toEqual([])
      })

      it('can have NUL characters in their descriptions', async () => {
        const admins = { ...groupOf('admins'), description: 'all\0' }
        expect(await change({ group: { group: admins, isNew: true } })).toBeUndefined()
        expect((await store.groups(pool))[0]!.description).toMatch(/^all[\0\ufffd]$/)
      })

      it('are listed for an account by precedence, then by name', async () => {
        await add(userOf('ann'))
        for (const group of [groupOf('b'), groupOf('a'), groupOf('d', 2), groupOf('c', 0)]) {
          await change({ group: { group, isNew: true } })
          await change({ member: { user: 'id of ann', group: group.name, isIn: true } })
        }
        const own = async () => (await store.groupsOf(pool, 'id of ann')).map(({ name }) => name)
        expect(await own()).toEqual(['c', 'd', 'a', 'b'])
        await change({ member: { user: 'id of ann', group: 'd', isIn: false } })
        expect(await own()).toEqual(['c', 'a', 'b'])
      })

      it('are joined by a new account in one change, if they exist', async () => {
        await change({ group: { group: groupOf('admins'), isNew: true } })
        await change({ group: { group: groupOf('readers'), isNew: true } })
        const user = userOf('ann')
        const users = [{ user, was: undefined, groups: ['readers', 'nobody', 'admins'] }]
        expect(await change({ users })).toBeUndefined()
        expect((await store.groupsOf(pool, user.id)).map(({ name }) => name)).toEqual(['admins', 'readers'])
      })

      it('accept members only when the group and the account exist', async () => {
        await add(userOf('ann'))
        await change({ group: { group: groupOf('admins'), isNew: true } })
        for (const member of [
          { user: 'id of ann', group: 'staff', isIn: true },
          { user: 'id of bob', group: 'admins', isIn: true },
        ])
          expect(await change({ member })).toBe('changed')
      })
    })

    describe('messages', () => {
      it('wait until they are sent, and are listed with the latest first', async () => {
        await change({ messages: [messageOf('one'), messageOf('two')] })
        await store.setMessage(pool, { id: 'one', state: 'sent', contents: 'less' })
        const [latest, first] = await store.messages(pool)
        expect(latest).toEqual(messageOf('two'))
        expect(first).toEqual(messageOf('one', { state: 'sent', contents: 'less' }))
        expect(await store.waitingMessages()).toEqual([{ ...messageOf('two'), pool }])
      })

      it('lose their text and stop waiting when they expire', async () => {
        await change({ messages: [messageOf('one'), messageOf('two', { ends: now + 2 * minute })] })
        await store.emptyMessages(now + minute)
        expect(await store.messages(pool)).toEqual([
          messageOf('two', { ends: now + 2 * minute }),
          messageOf('one', { contents: '', state: 'failed' }),
        ])
      })
    })

    it('replaces a pool’s signing keys only if they have not changed since they were read', async () => {
      const key = (id: string): StoredKey => ({
        id,
        use: 'id',
        state: 'current',
        key: `encrypted ${id}`,
        created: now,
        expires: undefined,
      })
      expect(await store.setKeys(pool, [key('one')], [])).toBe(true)
      expect(await store.setKeys(pool, [key('two')], [])).toBe(false)
      expect(await store.setKeys(pool, [key('two'), { ...key('one'), expires: now }], ['one'])).toBe(true)
      expect((await store.keys(pool)).map(({ id, expires }) => [id, expires]).sort()).toEqual([
        ['one', now],
        ['two', undefined],
      ])
      expect(await store.keys('another pool')).toEqual([])
    })
  })
}
