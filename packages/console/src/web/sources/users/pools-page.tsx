import type { PoolState } from '@signalbox/platform-user-pool/console'
import { addressOf, segment } from '../../address/address.ts'
import { ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Text } from '../../text/text.tsx'
import { userPoolApi } from './user-pool-api.ts'

/** The page of all user pools. */
export function PoolsPage() {
  const { value, error, reload } = useAnswer(signal => ask(userPoolApi.get('/pools', { signal })), 'pools', {
    every: 5000,
  })
  return (
    <>
      <PageHead title="Users">The accounts of your applications, pool by pool.</PageHead>
      {error && <ProblemNote text={error} retry={reload} />}
      {value?.length === 0 && (
        <Empty title="The platform has no user pool">
          <p>
            Name one under <code>userPools</code> in your configuration file, with its clients.
          </p>
        </Empty>
      )}
      {value !== undefined && value.length > 0 && (
        <Table label="User pools" columns={columns} rows={value} keyOf={each => each.id} />
      )}
    </>
  )
}

const columns: readonly Column<PoolState>[] = [
  {
    name: 'Pool',
    cell: each => (
      <>
        <a href={addressOf(`/users/${segment(each.name)}`)}>
          <Text of={each.name} />
        </a>
        <div class="faint small mono">
          <Text of={each.id} />
        </div>
      </>
    ),
  },
  { name: 'Users', cell: each => each.users.toLocaleString('en'), isNumber: true },
  {
    name: 'Clients',
    cell: each => <Text of={each.clients.map(client => client.name).join(', ')} most={100} />,
  },
  {
    name: 'Issuer',
    cell: each => (
      <span class="mono">
        <Text of={each.issuer} most={120} />
      </span>
    ),
    isExtra: true,
  },
]
