import type { PoolAccount } from '@signalbox/platform-user-pool/console'
import { useEffect, useState } from 'preact/hooks'
import { addressOf, go, query, segment } from '../../address/address.ts'
import { ask, wordsOf } from '../../api/api.ts'
import { useAction, useAnswer } from '../../api/use-answer.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TextField } from '../../parts/field.tsx'
import { Filters, TextFilter } from '../../parts/filters.tsx'
import { Form } from '../../parts/form.tsx'
import { type Pair, Pairs } from '../../parts/pairs.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { plainText } from '../../text/segments-of.ts'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { PoolTabs } from './pool-tabs.tsx'
import { userPoolApi } from './user-pool-api.ts'

const pageSize = 50

/** The page of the users in a pool. */
export function PoolPage({ pool }: { readonly pool: string }) {
  const search = query.value.get('search') ?? ''
  const first = useAnswer(
    signal =>
      ask(
        userPoolApi.get('/pools/{pool}/users', {
          params: { pool },
          query: { ...(search && { search }), last: pageSize },
          signal,
        }),
      ),
    search,
    { every: 5000 },
  )
  const [isAdding, setAdding] = useState(false)
  const [more, setMore] = useState<{
    readonly users: readonly PoolAccount[]
    readonly after: string | undefined
  }>()
  const [problem, setProblem] = useState('')
  useEffect(() => setMore(undefined), [search])
  const known = new Set(first.value?.users.map(({ sub }) => sub))
  const users = [...(first.value?.users ?? []), ...(more?.users ?? []).filter(({ sub }) => !known.has(sub))]
  const after = more === undefined ? first.value?.after : more.after
  const showMore = async () => {
    try {
      const page = await ask(
        userPoolApi.get('/pools/{pool}/users', {
          params: { pool },
          query: { ...(search && { search }), ...(after && { after }), last: pageSize },
        }),
      )
      setMore({ users: [...(more?.users ?? []), ...page.users], after: page.after })
      setProblem('')
    } catch (error) {
      setProblem(wordsOf(error))
    }
  }
  const error = problem || first.error
  return (
    <>
      <PageHead
        title={<Text of={pool} />}
        tools={
          <button type="button" onClick={() => setAdding(true)}>
            Add a user
          </button>
        }
      >
        <a href={addressOf('/users')}>Users</a> › a user pool
      </PageHead>
      <PoolTabs pool={pool} current="users" />
      <Filters names={['search']}>
        <TextFilter name="search" label="Name, sub or attribute" isWide />
      </Filters>
      {error && <ProblemNote text={error} retry={first.reload} />}
      {first.value !== undefined && users.length === 0 && (
        <Empty title={search === '' ? 'Nobody has signed up yet' : 'No user matches'}>
          {search === '' && <p>Sign up with your application, or add a user here.</p>}
        </Empty>
      )}
      {users.length > 0 && (
        <Table label="Users" columns={columns(pool)} rows={users} keyOf={each => each.sub} />
      )}
      {after !== undefined && (
        <div>
          <button type="button" onClick={() => void showMore()}>
            Show more
          </button>
        </div>
      )}
      {isAdding && (
        <AddUser
          pool={pool}
          onClose={() => setAdding(false)}
          onAdded={name => go(addressOf(`/users/${segment(pool)}/user/${segment(name)}`))}
        />
      )}
    </>
  )
}

function columns(pool: string): readonly Column<PoolAccount>[] {
  return [
    {
      name: 'User',
      cell: each => (
        <>
          <a href={addressOf(`/users/${segment(pool)}/user/${segment(each.name)}`)}>
            <Text of={each.name} most={100} />
          </a>
          <div class="faint small">
            <Text of={each.attributes.email ?? each.attributes.phone_number ?? each.sub} most={100} />
          </div>
        </>
      ),
    },
    { name: 'State', cell: each => <AccountBadge of={each} /> },
    { name: 'Created', cell: each => <Time at={each.createdAt} />, isNumber: true, isExtra: true },
    { name: 'Changed', cell: each => <Time at={each.modifiedAt} />, isNumber: true, isExtra: true },
  ]
}

const tones: Readonly<Record<string, Tone>> = {
  CONFIRMED: 'good',
  EXTERNAL_PROVIDER: 'good',
  ARCHIVED: 'plain',
}

/** A badge that shows the state of an account. */
export function AccountBadge({ of }: { readonly of: Pick<PoolAccount, 'status' | 'enabled'> }) {
  if (!of.enabled) return <Badge tone="bad">disabled</Badge>
  return (
    <Badge tone={Object.hasOwn(tones, of.status) ? (tones[of.status] ?? 'warn') : 'warn'}>
      {plainText(of.status.slice(0, 60).toLowerCase().replaceAll('_', ' '))}
    </Badge>
  )
}

function AddUser({
  pool,
  onClose,
  onAdded,
}: {
  readonly pool: string
  readonly onClose: () => void
  readonly onAdded: (name: string) => void
}) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [attributes, setAttributes] = useState<readonly Pair[]>([['email', '']])
  const add = useAction(async () => {
    const filled = attributes.filter(([attribute, value]) => attribute !== '' && value !== '')
    await ask(
      userPoolApi.post('/pools/{pool}/users', {
        params: { pool },
        body: { name, password, attributes: Object.fromEntries(filled) },
      }),
    )
    onAdded(name)
  })
  return (
    <Dialog title="Add a user" onClose={onClose}>
      <Form
        action={add}
        button="Add"
        tools={
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        }
      >
        <p class="faint">The account is confirmed at once, and nothing is sent.</p>
        <TextField label="User name" required autoComplete="off" value={name} onText={setName} />
        <TextField
          label="Password"
          required
          type="password"
          autoComplete="new-password"
          value={password}
          onText={setPassword}
        />
        <Pairs legend="Attributes" pairs={attributes} onChange={setAttributes} />
      </Form>
    </Dialog>
  )
}
