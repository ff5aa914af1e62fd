import { ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Section } from '../../parts/section.tsx'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { Parameters } from './challenge-parameters.tsx'
import { userPoolApi } from './user-pool-api.ts'

/** The custom challenges that wait for answers, of a pool or of one of its accounts. Without any, nothing is shown. */
export function PoolChallenges({ pool, sub }: { readonly pool: string; readonly sub?: string }) {
  const { value = [] } = useAnswer(
    signal => ask(userPoolApi.get('/pools/{pool}/challenges', { params: { pool }, signal })),
    pool,
    { every: 3000 },
  )
  const own = value.filter(each => sub === undefined || each.sub === sub)
  if (own.length === 0) return null
  return (
    <Section title="Custom challenges">
      <ul class="texts">
        {own.map((each, index) => (
          <li key={index} class="card">
            <div class="actions">
              <span>
                For <Text of={each.user} most={100} />
              </span>
              <span class="faint">
                {each.name !== undefined && (
                  <>
                    <Text of={each.name} most={60} />,{' '}
                  </>
                )}
                ends <Time at={each.ends} />
              </span>
            </div>
            {each.parameters === undefined ? (
              <p class="faint">Its code is hidden, because seeing it needs the right to act.</p>
            ) : (
              <Parameters of={each.parameters} />
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
