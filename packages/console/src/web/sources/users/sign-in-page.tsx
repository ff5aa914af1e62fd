import type { PoolSignIn } from '@signalbox/platform-user-pool/console'
import { useState } from 'preact/hooks'
import { addressOf } from '../../address/address.ts'
import { ask } from '../../api/api.ts'
import { useAction, useAnswer } from '../../api/use-answer.ts'
import { JsonView } from '../../json/json-view.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { PageHead, Section } from '../../parts/section.tsx'
import { Text } from '../../text/text.tsx'
import { Parameters } from './challenge-parameters.tsx'
import { PoolTabs } from './pool-tabs.tsx'
import { userPoolApi } from './user-pool-api.ts'

/** The page that signs a user in as an application does, and shows the contents of the tokens. */
export function SignInPage({ pool }: { readonly pool: string }) {
  const [client, setClient] = useState('')
  const [isCustom, setCustom] = useState(false)
  const pools = useAnswer(signal => ask(userPoolApi.get('/pools', { signal })), 'pools')
  const clients = (pools.value?.find(each => each.name === pool)?.clients ?? []).filter(({ flows }) =>
    flows.some(flow => ['admin', 'password', 'srp', 'custom'].includes(flow)),
  )
  const usable = clients.filter(each => client === '' || each.name === client)
  const mayBeCustom = usable.some(({ flows }) => flows.includes('custom'))
  const mayBeOther = usable.some(({ flows }) => flows.some(flow => flow !== 'custom' && flow !== 'refresh'))
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [result, setResult] = useState<PoolSignIn | undefined>(undefined)
  const signIn = useAction(async () => {
    setResult(undefined)
    setResult(
      await ask(
        userPoolApi.post('/pools/{pool}/sign-in', {
          params: { pool },
          body: {
            name,
            ...(password && { password }),
            ...(client && { client }),
            ...(isCustom && mayBeCustom && { isCustom }),
          },
        }),
      ),
    )
  })
  return (
    <>
      <PageHead title={<Text of={pool} />}>
        <a href={addressOf('/users')}>Users</a> › a sign-in as an application does it, which calls every
        trigger
      </PageHead>
      <PoolTabs pool={pool} current="sign-in" />
      <Form action={signIn} button="Sign in" busy="Signing in" isCard>
        <div class="filters">
          <TextField label="User name" isWide required autoComplete="off" value={name} onText={setName} />
          <TextField
            label="Password"
            isWide
            required={!mayBeCustom}
            type="password"
            autoComplete="off"
            value={password}
            onText={setPassword}
          />
          <SelectField
            label="Client"
            value={client}
            onValue={setClient}
            options={[['', 'Any that can'], ...clients.map(each => each.name)]}
          />
        </div>
        {mayBeCustom && mayBeOther && (
          <label class="check">
            <input
              type="checkbox"
              checked={isCustom}
              onChange={event => setCustom(event.currentTarget.checked)}
            />
            With the custom challenges of the pool, which may begin without a password
          </label>
        )}
      </Form>
      {result?.challenge !== undefined && (
        <ChallengeForm
          key={result.challenge.session}
          pool={pool}
          challenge={result.challenge}
          onResult={setResult}
        />
      )}
      {result?.idToken !== undefined && (
        <div class="columns" role="status">
          {(['idToken', 'accessToken'] as const).map(
            each =>
              result[each] !== undefined && (
                <Section key={each} title={each === 'idToken' ? 'ID token' : 'Access token'}>
                  <JsonView
                    label={each === 'idToken' ? 'the ID token' : 'the access token'}
                    text={JSON.stringify(result[each])}
                  />
                </Section>
              ),
          )}
        </div>
      )}
      {result?.idToken !== undefined && (
        <p class="faint">
          {result.hasRefreshToken ? 'There is a refresh token, too. ' : ''}
          The console keeps no token.{' '}
          <a href={addressOf('/invocations', { family: 'user-pool' })}>See the triggers</a>
        </p>
      )}
    </>
  )
}

/** The challenge with which a sign-in goes on, and a field for its answer. */
function ChallengeForm({
  pool,
  challenge,
  onResult,
}: {
  readonly pool: string
  readonly challenge: NonNullable<PoolSignIn['challenge']>
  readonly onResult: (result: PoolSignIn) => void
}) {
  const { name, client, user, session, parameters, privateParameters, canAnswer } = challenge
  const [answer, setAnswer] = useState('')
  const send = useAction(async () =>
    onResult(
      await ask(
        userPoolApi.post('/pools/{pool}/sign-in/answers', {
          params: { pool },
          body: { client, user, challenge: name, session, answer },
        }),
      ),
    ),
  )
  const isNewPassword = name === 'NEW_PASSWORD_REQUIRED'
  return (
    <Section title={<Text of={`The challenge ${name}`} most={100} />}>
      {canAnswer ? (
        <Form action={send} button="Answer" busy="Answering" isCard>
          <Parameters of={parameters} />
          {privateParameters !== undefined && (
            <div>
              <p class="faint">The functions of the pool check the answer with</p>
              <Parameters of={privateParameters} />
            </div>
          )}
          <TextField
            label={isNewPassword ? 'New password' : 'Answer'}
            required
            autoComplete="off"
            {...(isNewPassword && { type: 'password' as const })}
            value={answer}
            onText={setAnswer}
          />
        </Form>
      ) : (
        <p class="note warn" role="status">
          The console cannot answer it. Your application does.
        </p>
      )}
    </Section>
  )
}
