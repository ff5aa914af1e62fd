import { addressOf } from '../../address/address.ts'
import { ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead } from '../../parts/section.tsx'
import { Text } from '../../text/text.tsx'
import { PoolChallenges } from './pool-challenges.tsx'
import { PoolMessages } from './pool-messages.tsx'
import { PoolTabs } from './pool-tabs.tsx'
import { userPoolApi } from './user-pool-api.ts'

/** The page of the codes and messages that a user pool has sent. */
export function PoolMessagesPage({ pool }: { readonly pool: string }) {
  const { value, error, reload } = useAnswer(
    signal => ask(userPoolApi.get('/pools/{pool}/messages', { params: { pool }, signal })),
    pool,
    { every: 2000 },
  )
  return (
    <>
      <PageHead title={<Text of={pool} />}>
        <a href={addressOf('/users')}>Users</a> › the codes and texts of its users
      </PageHead>
      <PoolTabs pool={pool} current="messages" />
      {error && <ProblemNote text={error} retry={reload} />}
      <PoolChallenges pool={pool} />
      {value && <PoolMessages messages={value} />}
    </>
  )
}
