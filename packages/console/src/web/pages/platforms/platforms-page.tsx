import type { SharingPlatform } from '../../../api/platforms.ts'
import { api, ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'

/** The page of the platforms that share a database with this platform. */
export function PlatformsPage() {
  const { value, error, reload } = useAnswer(signal => ask(api.get('/platforms', { signal })), 'platforms', {
    every: 5000,
  })
  return (
    <>
      <PageHead title="Platforms">The platforms that share one database, and whether they run.</PageHead>
      {error && <ProblemNote text={error} retry={reload} />}
      {value?.platforms.length === 0 && (
        <Empty title={value.isShared ? 'No platform runs' : 'This platform keeps its data in files'}>
          <p>
            Only one platform can use the files. Several platforms share a PostgreSQL database, which the
            configuration names under <code>storage</code>.
          </p>
        </Empty>
      )}
      {value !== undefined && value.platforms.length > 0 && (
        <Table
          label="Platforms"
          columns={columns}
          rows={value.platforms}
          keyOf={each => `${each.host} ${each.process} ${each.started}`}
        />
      )}
    </>
  )
}

const columns: readonly Column<SharingPlatform>[] = [
  {
    name: 'Platform',
    cell: ({ host, process, addresses }) => (
      <>
        <Text of={host} most={80} />
        <span class="faint"> process {process}</span>
        {addresses.map(({ source, url }) => (
          <div class="faint small" key={`${source} ${url}`}>
            <Text of={`${source} ${url}`} most={120} />
          </div>
        ))}
      </>
    ),
    isName: true,
  },
  {
    name: 'State',
    cell: ({ isAlive }) => <Badge tone={isAlive ? 'good' : 'bad'}>{isAlive ? 'running' : 'gone'}</Badge>,
  },
  { name: 'Last seen', cell: ({ seen }) => `${Math.round(seen / 1000)} s ago`, isNumber: true },
  { name: 'Started', cell: ({ started }) => <Time at={started} />, isNumber: true, isExtra: true },
]
