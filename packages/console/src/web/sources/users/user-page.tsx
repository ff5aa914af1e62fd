import type { PoolAccountDetails } from '@signalbox/platform-user-pool/console'
import { useState } from 'preact/hooks'
import { addressOf, go, segment } from '../../address/address.ts'
import { ask } from '../../api/api.ts'
import { useAction, useAnswer } from '../../api/use-answer.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { Confirmation } from '../../parts/dialog.tsx'
import { SelectField } from '../../parts/field.tsx'
import { Figure } from '../../parts/figure.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead, Section } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { plainText } from '../../text/segments-of.ts'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { PoolChallenges } from './pool-challenges.tsx'
import { PoolMessages } from './pool-messages.tsx'
import { AccountBadge } from './pool-page.tsx'
import { userPoolApi } from './user-pool-api.ts'

/** The page of one user: state, attributes, groups, and the codes and messages that were sent. */
export function UserPage({ pool, name }: { readonly pool: string; readonly name: string }) {
  const { value, error, reload } = useAnswer(
    signal => ask(userPoolApi.get('/pools/{pool}/users/{name}', { params: { pool, name }, signal })),
    `${pool} ${name}`,
    { every: 3000 },
  )
  const trail = (
    <>
      <a href={addressOf('/users')}>Users</a> ›{' '}
      <a href={addressOf(`/users/${segment(pool)}`)}>
        <Text of={pool} />
      </a>
    </>
  )
  if (value === undefined)
    return (
      <>
        <PageHead title={<Text of={name} />}>{trail}</PageHead>
        {error && <ProblemNote text={error} retry={reload} />}
      </>
    )
  const { user } = value
  const attributes = Object.entries(user.attributes)
  return (
    <>
      <PageHead
        title={
          <>
            <Text of={user.name} /> <AccountBadge of={user} />
          </>
        }
        tools={<UserActions pool={pool} details={value} onChange={reload} />}
      >
        {trail}
      </PageHead>
      {error && <ProblemNote text={error} retry={reload} />}
      <dl class="facts card">
        <Figure name="sub">
          <span class="mono">
            <Text of={user.sub} />
          </span>
        </Figure>
        <Figure name="Created">
          <Time at={user.createdAt} />
        </Figure>
        <Figure name="Changed">
          <Time at={user.modifiedAt} />
        </Figure>
        <Figure name="Invocations">
          <a href={addressOf('/invocations', { text: user.name })}>that name this user</a>
        </Figure>
      </dl>
      <Section title="Attributes">
        {attributes.length === 0 ? (
          <p class="faint">The account has no attributes.</p>
        ) : (
          <Table
            label="Attributes of the account"
            columns={attributeColumns}
            rows={attributes}
            keyOf={([attribute]) => attribute}
          />
        )}
      </Section>
      <Groups pool={pool} details={value} onChange={reload} />
      <PoolChallenges pool={pool} sub={user.sub} />
      <Section title="Codes and texts">
        <PoolMessages messages={value.messages} />
      </Section>
    </>
  )
}

const attributeColumns: readonly Column<readonly [string, string]>[] = [
  { name: 'Name', cell: ([name]) => <Text of={name} most={100} /> },
  { name: 'Value', cell: ([, value]) => <Text of={value} most={2000} /> },
]

function UserActions({
  pool,
  details,
  onChange,
}: {
  readonly pool: string
  readonly details: PoolAccountDetails
  readonly onChange: () => void
}) {
  const { name, status, enabled } = details.user
  const act = async (action: 'confirm' | 'disable' | 'enable' | 'reset-password' | 'sign-out' | 'delete') => {
    await ask(
      userPoolApi.post('/pools/{pool}/users/{name}/actions', { params: { pool, name }, body: { action } }),
    )
    if (action === 'delete') go(addressOf(`/users/${segment(pool)}`))
    else onChange()
  }
  const asking = (label: string, text: string) => ({
    title: `${label}?`,
    confirm: label,
    text: (
      <>
        This changes the account <Text of={name} />. {text}
      </>
    ),
  })
  return (
    <>
      {status === 'UNCONFIRMED' && <ActionButton label="Confirm" work={() => act('confirm')} />}
      {enabled ? (
        <ActionButton
          label="Disable"
          question={asking('Disable', 'The user cannot sign in until you enable it again.')}
          work={() => act('disable')}
        />
      ) : (
        <ActionButton label="Enable" work={() => act('enable')} />
      )}
      <ActionButton
        label="Reset the password"
        question={asking('Reset the password', 'The user gets a code, and has to choose a new password.')}
        work={() => act('reset-password')}
      />
      <ActionButton
        label="Sign out everywhere"
        question={asking('Sign out everywhere', 'Every sign-in of the user ends.')}
        work={() => act('sign-out')}
      />
      <ActionButton
        label="Delete"
        isDangerous
        question={asking(
          'Delete',
          'The account and everything that belongs to it are gone. They cannot be brought back.',
        )}
        work={() => act('delete')}
      />
    </>
  )
}

function Groups({
  pool,
  details,
  onChange,
}: {
  readonly pool: string
  readonly details: PoolAccountDetails
  readonly onChange: () => void
}) {
  const { user, groups } = details
  const params = { pool, name: user.name }
  const pools = useAnswer(signal => ask(userPoolApi.get('/pools', { signal })), 'pools')
  const all = pools.value?.find(each => each.name === pool)?.groups ?? []
  const free = all.filter(group => !groups.includes(group))
  const [chosen, setChosen] = useState('')
  const [removed, setRemoved] = useState('')
  const group = free.includes(chosen) ? chosen : (free[0] ?? '')
  const add = useAction(async () => {
    await ask(userPoolApi.post('/pools/{pool}/users/{name}/groups', { params, body: { group } }))
    onChange()
  })
  const remove = useAction(async () => {
    await ask(
      userPoolApi.del('/pools/{pool}/users/{name}/groups/{group}', { params: { ...params, group: removed } }),
    )
    onChange()
  })
  const error = add.error ?? remove.error
  return (
    <Section title="Groups">
      {error && <ProblemNote text={error} />}
      <div class="actions">
        {groups.length === 0 && <span class="faint">In no group.</span>}
        {groups.map(each => (
          <span class="badge plain" key={each}>
            <Text of={each} most={60} />
            <button
              type="button"
              class="quiet"
              aria-label={`Remove from ${plainText(each)}`}
              onClick={() => setRemoved(each)}
            >
              Remove
            </button>
          </span>
        ))}
        {group !== '' && (
          <>
            <SelectField label="Group" isLabelUnseen value={group} onValue={setChosen} options={free} />
            <button type="button" disabled={add.isBusy} onClick={add.start}>
              Add to the group
            </button>
          </>
        )}
      </div>
      {removed !== '' && (
        <Confirmation
          title="Remove from the group?"
          action="Remove"
          onConfirm={remove.start}
          onClose={() => setRemoved('')}
        >
          <p>
            Takes <Text of={user.name} /> out of <Text of={removed} />.
          </p>
        </Confirmation>
      )}
    </Section>
  )
}
