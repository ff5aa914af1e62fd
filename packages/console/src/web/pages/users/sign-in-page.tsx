import type { PoolSignIn } from '@signalbox/platform-runtime/console'
import { useState } from 'preact/hooks'
import { addressOf } from '../../address/address.ts'
import { api, ask } from '../../api/api.ts'
import { useAction, useAnswer } from '../../api/use-answer.ts'
import { JsonView } from '../../json/json-view.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead, Section } from '../../parts/section.tsx'
import { plainText } from '../../text/segments-of.ts'
import { Text } from '../../text/text.tsx'
import { PoolTabs } from './pool-tabs.tsx'

/** Signs a user in as an application does, and shows what the tokens say. */
export function SignInPage({ pool }: { readonly pool: string }) {
  const pools = useAnswer(signal => ask(api.get('/pools', { signal })), 'pools')
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
        api.post('/pools/{pool}/sign-in', {
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
      <form
        class="card filters"
        onSubmit={event => {
          event.preventDefault()
          signIn.start()
        }}
      >
        <label class="field wide">
          <span>User name</span>
          <input
            required
            autoComplete="off"
            value={name}
            onInput={event => setName(event.currentTarget.value)}
          />
        </label>
        <label class="field wide">
          <span>Password</span>
          <input
            required
            type="password"
            autoComplete="off"
            value={password}
            onInput={event => setPassword(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span>Client</span>
          <select value={client} onChange={event => setClient(event.currentTarget.value)}>
            <option value="">The first that can</option>
            {clients.map(each => (
              <option key={each.id} value={each.name}>
                {plainText(each.name)}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="main" disabled={signIn.isBusy}>
          {signIn.isBusy ? 'Signing in' : 'Sign in'}
        </button>
      </form>
      {signIn.error && <ProblemNote text={signIn.error} />}
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
