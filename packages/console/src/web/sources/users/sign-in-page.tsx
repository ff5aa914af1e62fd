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
import { PoolTabs } from './pool-tabs.tsx'
import { userPoolApi } from './user-pool-api.ts'

/** The page that signs a user in as an application does, and shows the contents of the tokens. */
export function SignInPage({ pool }: { readonly pool: string }) {
  const pools = useAnswer(signal => ask(userPoolApi.get('/pools', { signal })), 'pools')
  const clients = (pools.value?.find(each => each.name === pool)?.clients ?? []).filter(({ flows }) =>
    flows.some(flow => flow === 'admin' || flow === 'password'),
  )
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [client, setClient] = useState('')
  const [result, setResult] = useState<PoolSignIn | undefined>(undefined)
  const signIn = useAction(async () => {
    setResult(undefined)
    setResult(
      await ask(
        userPoolApi.post('/pools/{pool}/sign-in', {
          params: { pool },
          body: { name, password, ...(client && { client }) },
        }),
      ),
    )
  })
  return (
    <>
      <PageHead title={<Text of={pool} />}>
        <a href={addressOf('/users')}>Users</a> › a sign-in with a password, which calls every trigger
      </PageHead>
      <PoolTabs pool={pool} current="sign-in" />
      <Form action={signIn} button="Sign in" busy="Signing in" isCard>
        <div class="filters">
          <TextField label="User name" isWide required autoComplete="off" value={name} onText={setName} />
          <TextField
            label="Password"
            isWide
            required
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
      </Form>
      {result?.challenge !== undefined && (
        <p class="note warn" role="status">
          The sign-in goes on with the challenge <Text of={result.challenge} />. Your application answers it.
        </p>
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
      {result !== undefined && (
        <p class="faint">
          {result.hasRefreshToken ? 'There is a refresh token, too. ' : ''}
          The console keeps no token.{' '}
          <a href={addressOf('/invocations', { family: 'user-pool' })}>See the triggers</a>
        </p>
      )}
    </>
  )
}
